package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.Options;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * mlxcel 2198: has_native_wmma() sets its "probed" flag before it has the answer, so that a caller
 * who comes in between reads false and takes the slow route once.
 *
 * <p>The software device says that it is a gfx1151, which has native WMMA. Eight threads ask at
 * once, 33 times each, nobody having asked before; the counter {@code wmma.false} holds the answers
 * that sent their callers the slow way.
 */
public final class ProbeFlagBeforeWork extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int ROUNDS = 33;

  public ProbeFlagBeforeWork() {
    super(
        "probe.flag-before-work",
        "mlxcel 2198",
        "the first questions of many threads for a trait of the device",
        "A trait is read as false while another thread is still finding it out, and one call takes"
            + " the slow route.");
  }

  @Override
  public String needs() {
    return "a device with native WMMA (the software device calls itself gfx1151)";
  }

  @Override
  public Options options(Options options) {
    return options.withHostArch("gfx1151");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("device-traits", Form.FILED), Set.of(Outcome.MISROUTED)), Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.delayed("delay traits.create.begin 5ms"),
        Interleaving.forced(
            "order A:traits.create.begin arrived -> B:work.begin",
            "order B:work.end -> A:traits.create.begin"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    AtomicLong slow = new AtomicLong();
    Actors actors = new Actors();
    List<String> names = trial.names(THREADS);
    for (String name : names) {
      actors.add(
          name,
          () -> {
            for (int round = 0; round < (trial.forced() ? 1 : ROUNDS); round++) {
              slow.addAndGet(device.hasNativeWmma() ? 0 : 1);
            }
          });
    }
    actors.run();
    Map<String, Long> counters = new TreeMap<>(trial.backend().counters());
    counters.put("wmma.false", slow.get());
    if (!actors.firstError().isEmpty()) {
      return new Finding(Outcome.ERROR, actors.firstError(), counters, actors.workMillis());
    }
    boolean ends = device.hasNativeWmma();
    if (!ends) {
      return Finding.notApplicable("the device has no native WMMA", counters);
    }
    String detail = slow.get() == 0 ? "" : slow + " callers were told that there is no native WMMA";
    return new Finding(
        detail.isEmpty() ? Outcome.EXACT : Outcome.MISROUTED,
        detail,
        counters,
        actors.workMillis());
  }
}
