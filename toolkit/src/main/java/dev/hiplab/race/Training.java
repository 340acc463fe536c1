package dev.hiplab.race;

import dev.hiplab.Schedule;
import dev.hiplab.findings.BlasLtGemmsFromManyThreads;
import dev.hiplab.findings.BlasLtGraphsShareWorkspace;
import dev.hiplab.findings.BlasLtInitWindow;
import dev.hiplab.findings.BlasLtSharedWorkspace;
import dev.hiplab.findings.RocblasFirstGemm;
import dev.hiplab.findings.RocblasStreamRebind;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.ForcedOrders;
import dev.hiplab.scenario.Scenario;
import dev.hiplab.scenario.Trial;
import java.util.List;

/** Loads the classes that children use; the run that the class-data archive is made from. */
public final class Training extends HiddenScenario {
  private static final List<Scenario> EXERCISES =
      List.of(
          new Probe(),
          new OneGemm(),
          new BlasLtSharedWorkspace(),
          new BlasLtGemmsFromManyThreads(),
          new RocblasFirstGemm(),
          new RocblasStreamRebind(),
          new BlasLtInitWindow(),
          new BlasLtGraphsShareWorkspace());

  @Override
  public String id() {
    return "training";
  }

  @Override
  public String title() {
    return "load the classes of a child";
  }

  @Override
  public Finding run(Trial trial) throws Exception {
    Finding last = null;
    for (Scenario exercise : EXERCISES) {
      last = exercise.run(trial);
    }
    // Most runs of a campaign have a schedule.
    try (Schedule schedule = Schedule.start("order A:training.x -> B:training.y\n")) {
      return ForcedOrders.read(last, schedule.end());
    }
  }
}
