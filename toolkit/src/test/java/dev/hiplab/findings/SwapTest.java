package dev.hiplab.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each scenario would notice if the fixed form of its part were swapped for the filed one: what
 * holds of FIXED in a row does not hold of FILED in the same row.
 */
class SwapTest {
  private static final Set<Outcome> RIGHT =
      EnumSet.of(Outcome.EXACT, Outcome.WITHIN_BOUND, Outcome.EXCLUDED);

  @TempDir Path folder;

  private List<RunRecord> runs(
      String scenario, String form, String way, String profile, int devices) {
    return Campaign.of(scenario)
        .forms(form)
        .ways(way)
        .runs(1)
        .driver("host")
        .profile(profile)
        .hostDevices(devices)
        .out(folder.resolve(form))
        .run()
        .records();
  }

  /** Where FILED cannot be made to go wrong, that FIXED excludes the order tells them apart. */
  @ParameterizedTest
  @CsvSource({
    "device-map.streams-while-evaluating, forced, splitk, 1, right",
    "device-map.second-gpu, forced:lookup, splitk, 2, excluded",
    "device-map.second-gpu, forced:both-first, splitk, 2, right",
    "device-map.clear-encoders, forced, splitk, 1, right",
    "jit.same-kernel, forced, splitk, 1, right",
    "jit.distinct-while-hitting, forced, splitk, 1, right",
    "event.pool, forced, splitk, 1, right",
    "event.teardown, natural, splitk, 1, right",
  })
  void filedIsNoticed(String scenario, String way, String profile, int devices, String check) {
    Set<Outcome> wanted = check.equals("right") ? RIGHT : EnumSet.of(Outcome.EXCLUDED);
    RunRecord fixed = runs(scenario, "FIXED", way, profile, devices).get(0);
    assumeThat(fixed.detail()).doesNotContain("no C++ compiler");
    assertThat(fixed.outcome()).as(fixed.detail()).isIn(wanted);

    RunRecord filed = runs(scenario, "FILED", way, profile, devices).get(0);
    assertThat(filed.outcome()).as(filed.detail()).isNotIn(wanted);
  }

  /** The source names no other form of these. */
  @ParameterizedTest
  @CsvSource({
    "device-map.bad-index, natural, splitk, 1",
    "device-map.bad-index, natural, gfx1151, 2",
    "jit.compile-failure, natural, splitk, 1",
  })
  void fixedIsRight(String scenario, String way, String profile, int devices) {
    RunRecord fixed = runs(scenario, "FIXED", way, profile, devices).get(0);
    assumeThat(fixed.detail()).doesNotContain("no C++ compiler");
    assertThat(fixed.outcome()).as(fixed.detail()).isIn(RIGHT);
  }

  /** Alternatives that the source rejects are noticed too. */
  @ParameterizedTest
  @CsvSource({
    "device-map.streams-while-evaluating, EAGER, natural, splitk, 2, MISROUTED",
  })
  void rejectedFormIsNoticed(
      String scenario, String form, String way, String profile, int devices, Outcome outcome) {
    RunRecord run = runs(scenario, form, way, profile, devices).get(0);
    assumeThat(run.detail()).doesNotContain("no C++ compiler");
    assertThat(run.outcome()).as(run.detail()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource({"FILED", "FIXED"})
  void aSecondGpuIsNeeded(String form) {
    RunRecord run = runs("device-map.second-gpu", form, "natural", "splitk", 1).get(0);
    assertThat(run.outcome()).isEqualTo(Outcome.NOT_APPLICABLE);
    assertThat(run.detail()).contains("1 device").contains("--devices 2");
  }
}
