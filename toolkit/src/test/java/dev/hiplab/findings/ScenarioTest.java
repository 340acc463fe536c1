package dev.hiplab.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The scenarios on the software device. Each of these fails when the fixed form of a part is
 * replaced by the filed one.
 */
class ScenarioTest {
  @TempDir Path folder;

  private List<RunRecord> runs(String scenario, String profile, String form, int runs) {
    return Campaign.of(scenario)
        .forms(form)
        .ways("natural")
        .runs(runs)
        .driver("host")
        .profile(profile)
        .out(folder)
        .run()
        .records();
  }

  @ParameterizedTest
  @CsvSource({
    "rocblas.first-gemm, splitk, EXACT",
    "rocblas.first-gemm, gfx1151, EXACT",
    "blaslt.gemms-from-many-threads, splitk, EXACT",
    // Its bf16 sums leave a residue where they are zero (mlxcel 2206).
    "blaslt.gemms-from-many-threads, gfx1151, WITHIN_BOUND",
    "blaslt.shared-workspace, splitk, EXACT"
  })
  void fixedIsRight(String scenario, String profile, Outcome outcome) {
    assertThat(runs(scenario, profile, "FIXED", 3))
        .hasSize(3)
        .allSatisfy(run -> assertThat(run.outcome()).as(run.detail()).isEqualTo(outcome))
        .allSatisfy(run -> assertThat(run.counters()).containsEntry("gemms.wrong", 0L));
  }

  @ParameterizedTest
  @CsvSource({"FILED", "FIXED"})
  void sharedWorkspaceDoesNotApplyWhereNothingAsksForWorkspace(String form) {
    RunRecord run = runs("blaslt.shared-workspace", "gfx1151", form, 1).get(0);
    assertThat(run.outcome()).isEqualTo(Outcome.NOT_APPLICABLE);
    assertThat(run.grade()).isEqualTo(Grade.INTERESTING);
    assertThat(run.detail())
        .contains("none of 8 candidates")
        .contains("bf16 64x64x64")
        .contains("gfx1151");
  }

  @Test
  void firstGemmMakesOneHandle() {
    assertThat(runs("rocblas.first-gemm", "splitk", "FIXED", 1).get(0).counters())
        .containsEntry("calls.rocblas_create_handle", 1L)
        .containsEntry("route.rocblas", 8L * 33)
        .containsEntry("gemms", 8L * 33);
  }

  @Test
  void manyThreadsTakeTheRoutesOfTheirTypes() {
    assertThat(runs("blaslt.gemms-from-many-threads", "splitk", "FIXED", 1).get(0).counters())
        .containsEntry("route.hipblaslt", 2L * 8 * 33)
        .containsEntry("route.rocblas", 8L * 33)
        .containsEntry("stderr.[hipBLASLt caps] device", 1L);
  }

  @Test
  void sharedWorkspaceIsWrongAsFiled() {
    List<RunRecord> runs = runs("blaslt.shared-workspace", "splitk", "FILED", 3);
    assertThat(runs)
        .allSatisfy(run -> assertThat(run.outcome()).isNotEqualTo(Outcome.EXACT))
        .anySatisfy(
            run -> {
              assertThat(run.outcome()).isEqualTo(Outcome.WRONG_RESULT);
              assertThat(run.counters().get("gemms.wrong")).isPositive();
              assertThat(run.counters().get("heuristic.workspace.first")).isPositive();
            });
  }

  @Test
  void firstGemmFailsAsFiled() {
    // The handle takes about 18 ms to make, and eight threads come at once: the window is wide.
    assertThat(runs("rocblas.first-gemm", "splitk", "FILED", 3))
        .anySatisfy(run -> assertThat(run.outcome()).isNotEqualTo(Outcome.EXACT));
  }

  @Test
  void manyThreadsFailAsFiled() {
    assertThat(runs("blaslt.gemms-from-many-threads", "splitk", "FILED", 3))
        .anySatisfy(run -> assertThat(run.outcome()).isNotEqualTo(Outcome.EXACT));
  }
}
