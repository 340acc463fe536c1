package dev.hiplab.report;

import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.List;
import java.util.Map;

/** Made-up runs. */
final class Sample {
  static final String SCENARIO = "blaslt.shared-workspace";

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
    return new RunRecord(
        "20300101-000000-1abc",
        SCENARIO,
        form,
        "natural",
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
        Map.of("route.hipblaslt", 264L, "handles.rocblas", 1L),
        Map.of("device", "a device", "profile", profile, "driver", "host", "hiplab", "0.1.0"),
        "natural",
        List.of(),
        "java -jar toolkit.jar reproduce " + SCENARIO,
        "2030-01-01T00:00:00Z");
  }
}
