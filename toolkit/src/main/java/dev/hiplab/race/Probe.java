package dev.hiplab.race;

import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Trial;
import java.util.Map;
import java.util.TreeMap;

/**
 * Opens a backend and does no more: how a campaign learns, without loading a driver itself, what
 * its children will run on, and whether driver and profile have names that exist.
 */
public final class Probe extends HiddenScenario {
  @Override
  public String id() {
    return "probe";
  }

  @Override
  public String title() {
    return "open a backend";
  }

  /** The detail is the device's name. */
  @Override
  public Finding run(Trial trial) {
    Map<String, String> device = trial.backend().device(0).info();
    String name = device.getOrDefault("name", "");
    String arch = device.getOrDefault("arch", "");
    String text = name.contains(arch) ? name : name + " (" + arch + ")";
    return new Finding(Outcome.EXACT, text, new TreeMap<>(), Double.NaN);
  }
}
