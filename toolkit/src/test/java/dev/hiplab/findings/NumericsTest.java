package dev.hiplab.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** mlxcel 2206 on both profiles: its tables, and the bound that checks take from them. */
class NumericsTest {
  @TempDir Path folder;

  private RunRecord residue(String profile) {
    return Campaign.of("numerics.residue")
        .runs(1)
        .driver("host")
        .profile(profile)
        .out(folder)
        .run()
        .records()
        .get(0);
  }

  @Test
  void gfx1151LeavesTheResiduesOfTheSource() {
    RunRecord run = residue("gfx1151");
    assertThat(run.outcome()).as(run.detail()).isEqualTo(Outcome.WITHIN_BOUND);
    assertThat(run.grade()).isEqualTo(Grade.EXPECTED);
    assertThat(run.detail())
        .isEqualTo(
            "bf16: 7 of 12 rows leave a residue, each that of gfx11 (mlxcel 2206); f16: 6 of 12"
                + " rows leave a residue, each that of gfx11 (mlxcel 2206)");
    // In units of 2^-26: the table of one instruction, then the rows of the libraries.
    assertThat(run.counters())
        .containsEntry("residue.[1,-1]", -4L)
        .containsEntry("off.[1,-1]", 4096L)
        .containsEntry("residue.[-1,1]", -4L)
        .containsEntry("residue.[2,-2]", -8L)
        .containsEntry("off.[2,-2]", 4096L)
        .containsEntry("residue.[8,-8]", -32L)
        .containsEntry("residue.[0.5,-0.5]", -2L)
        .containsEntry("residue.[2,-1,-1]", -12L)
        .containsEntry("residue.[1,2,-3]", -8L)
        .containsEntry("off.[1,-1,1,-1]", 0L)
        .containsEntry("off.[2]", 0L)
        .containsEntry("off.[-1]", 0L)
        .containsEntry("off.[-2,-1,1,2]*", 0L)
        .containsEntry("off.[-1,0,1]*", 0L)
        .containsEntry("residue.f16.[1,-1]", -4L)
        .containsEntry("residue.f16.[2,-1,-1]", -12L)
        .containsEntry("off.f16.[0.5,-0.5]", 0L)
        .containsEntry("adds.gfx11", 2L)
        .containsEntry("adds.ieee", 0L);
  }

  @Test
  void splitkAddsTheIeeeWay() {
    RunRecord run = residue("splitk");
    assertThat(run.outcome()).as(run.detail()).isEqualTo(Outcome.EXACT);
    assertThat(run.counters())
        .containsEntry("rows", 24L)
        .containsEntry("rows.with-residue", 0L)
        .containsEntry("adds.ieee", 2L);
  }

  /** One GEMM that is right, and one whose output another GEMM overwrote. */
  private static final String TWO_GEMMS =
      """
      import dev.hiplab.*;
      import dev.hiplab.scenario.*;
      import java.util.*;

      public final class Two extends SourcedScenario {
        public Two() {
          super("mine.two", "a test", "a bf16 GEMM, and one that is spoilt", "It is wrong.");
        }

        @Override
        public List<Form> forms() {
          return List.of(Form.fixed(), Form.filed(Map.of(), Set.of(Outcome.WRONG_RESULT)));
        }

        @Override
        public Finding run(Trial trial) {
          Device device = trial.backend().device(0);
          GemmCase bf16 = new GemmCase(DType.BF16, Gemm.NT, 1, 64, 64, 64, 1);
          Tally tally = new Tally();
          Map<String, Long> before;
          Map<String, Long> counters = new TreeMap<>();
          Finding finding;
          try (Stream stream = device.stream();
              CheckedGemm one = new CheckedGemm(trial, device, bf16, 0, 0);
              CheckedGemm other = new CheckedGemm(trial, device, bf16, 1, 0)) {
            one.enqueue(stream);
            other.enqueue(stream);
            one.read(stream);
            if (trial.form().name().equals(Form.FILED)) {
              float[] ones = new float[64 * 64];
              Arrays.fill(ones, 1);
              try (Matrix a = device.matrix(DType.BF16, 64, 64, ones)) {
                stream.gemm(Gemm.NT, a, a, other.output());
                stream.synchronize();
              }
            }
            other.read(stream);
            one.check(tally, 0, 0);
            other.check(tally, 1, 0);
            before = trial.backend().counters();
            finding = tally.finding(counters, Double.NaN);
            counters.putAll(finding.counters());
            counters.put("measured", trial.sums().millis() > 0 ? 1L : 0L);
            counters.put("adds.ieee", trial.addsIeee(DType.BF16) ? 1L : 0L);
            counters.put("undisturbed", before.equals(trial.backend().counters()) ? 1L : 0L);
          }
          return finding.withCounters(counters);
        }
      }
      """;

  @ParameterizedTest
  @CsvSource({
    "gfx1151, FIXED, WITHIN_BOUND, 0, 2, 0, 1",
    "gfx1151, FILED, WRONG_RESULT, 1, 1, 0, 1",
    "splitk, FIXED, EXACT, 0, 0, 1, 0",
    "splitk, FILED, WRONG_RESULT, 1, 0, 1, 0"
  })
  void theBoundComesFromTheDeviceAndHidesNothing(
      String profile,
      String form,
      Outcome outcome,
      long wrong,
      long within,
      long ieee,
      long measured) {
    RunRecord run =
        Campaign.ofSource(TWO_GEMMS)
            .forms(form)
            .runs(1)
            .driver("host")
            .profile(profile)
            .out(folder)
            .run()
            .records()
            .get(0);
    assertThat(run.outcome()).as(run.detail()).isEqualTo(outcome);
    assertThat(run.counters())
        .containsEntry("gemms", 2L)
        .containsEntry("gemms.wrong", wrong)
        .containsEntry("gemms.within-bound", within)
        .containsEntry("adds.ieee", ieee)
        .containsEntry("measured", measured)
        .containsEntry("undisturbed", 1L);
  }

  /** What the acceptance workload counts stays what its own backend did. */
  @Test
  void aFixedRaceOnGfx1151IsRightAndCountsOnlyItself() {
    RunRecord run =
        Campaign.of("blaslt.gemms-from-many-threads")
            .forms("FIXED")
            .ways("natural")
            .runs(1)
            .driver("host")
            .profile("gfx1151")
            .out(folder)
            .run()
            .records()
            .get(0);
    assertThat(run.outcome()).as(run.detail()).isEqualTo(Outcome.WITHIN_BOUND);
    assertThat(run.detail()).endsWith("does not add the IEEE way (measured)");
    assertThat(run.counters())
        .containsEntry("gemms.wrong", 0L)
        .containsEntry("gemms.within-bound", 2L * 8 * 33)
        .containsEntry("stderr.[hipBLASLt caps] device", 1L)
        .containsEntry("calls.hipblasLtCreate", 1L)
        .containsEntry("route.hipblaslt", 2L * 8 * 33);
  }
}
