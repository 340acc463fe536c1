package dev.hiplab.report;

import dev.hiplab.Schedule;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.ForcedOrders;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.List;
import java.util.Map;

/** Made-up runs. */
final class Sample {
  static final String SCENARIO = "blaslt.shared-workspace";

  private static final Map<String, Long> COUNTERS =
      Map.of("route.hipblaslt", 264L, "handles.rocblas", 1L);

  private Sample() {}

  static RunRecord run(String form, int run, Outcome outcome, Grade grade, double wall) {
    return run("splitk", form, run, outcome, grade, wall, wall / 10, "");
  }

  static RunRecord run(
      String profile,
      String form,
      int run,
      Outcome outcome,
      Grade grade,
      double wall,
      double work,
      String detail) {
    return run(
        SCENARIO, profile, form, "natural", run, outcome, grade, wall, work, detail, COUNTERS);
  }

  static RunRecord of(String scenario, String form, int run, Outcome outcome) {
    return run(
        scenario, "splitk", form, "natural", run, outcome, Grade.EXPECTED, 9, 1, "", COUNTERS);
  }

  static RunRecord forced(
      String form, int run, Outcome outcome, String detail, Schedule.Status order) {
    Map<String, Long> counters = Map.of(ForcedOrders.counter(order), 1L);
    return run(
        SCENARIO, "splitk", form, "forced", run, outcome, Grade.EXPECTED, 9, 1, detail, counters);
  }

  /** A run with these counters alone. */
  static RunRecord counted(String scenario, Map<String, Long> counters) {
    return run(
        scenario,
        "splitk",
        "DEVICE",
        "natural",
        0,
        Outcome.EXACT,
        Grade.EXPECTED,
        9,
        1,
        "",
        counters);
  }

  /** A run of {@code bench forms}, with GEMMs a second of eight threads and of one. */
  static RunRecord cost(String form, long eight, long one) {
    Map<String, Long> counters = Map.of("gemms.per.s.8", eight, "gemms.per.s.1", one);
    return run(
        "cost.workspace",
        "splitk",
        form,
        "natural",
        0,
        Outcome.EXACT,
        Grade.EXPECTED,
        9,
        1,
        "",
        counters);
  }

  /** A run of {@code Lab.race}. */
  static RunRecord inProcess(String form, int run) {
    return run(form, run, Outcome.EXACT, Grade.EXPECTED, 9)
        .withCommand("in process: Lab.race(\"mine\", ...)");
  }

  private static RunRecord run(
      String scenario,
      String profile,
      String form,
      String way,
      int run,
      Outcome outcome,
      Grade grade,
      double wall,
      double work,
      String detail,
      Map<String, Long> counters) {
    return new RunRecord(
        "20300101-000000-1abc",
        scenario,
        form,
        way,
        run,
        1 + run,
        outcome,
        grade,
        detail,
        wall,
        work,
        0,
        "",
        "",
        Map.of(),
        counters,
        Map.of("device", "a device", "profile", profile, "driver", "host", "hiplab", "0.1.0"),
        way,
        List.of(),
        "java -jar toolkit.jar reproduce " + scenario,
        "2030-01-01T00:00:00Z");
  }
}
