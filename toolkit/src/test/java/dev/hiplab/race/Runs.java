package dev.hiplab.race;

import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.List;
import java.util.Map;

/** Records for tests that need no process. */
final class Runs {
  private Runs() {}

  static RunRecord run(String form, int run) {
    return new RunRecord(
        "c1",
        "test.Behaves",
        form,
        "natural",
        run,
        7 + run,
        Outcome.WRONG_RESULT,
        Grade.EXPECTED,
        "first [0][1] is NaN, \"quoted\", 2·K·u ≤ ½\nnext line",
        412.125,
        Double.NaN,
        134,
        "SIGABRT",
        "libc.so.6+0x12 free, called from libhiplab.so+0x34 f",
        Map.of("worker-1", List.of("pipe.found", "pipe.end")),
        Map.of("gemms.wrong", 12L, "gemms", 264L),
        Map.of("driver", "host", "version.hiplab", "1"),
        "natural",
        List.of("order A:x -> B:y | held"),
        "java -jar toolkit.jar reproduce x",
        "2026-01-01T00:00:00Z");
  }
}
