package dev.hiplab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReferenceTest {
  @Test
  void productsAreExactInEveryLayout() {
    float[] a = {1, 2, 3, 4, 5, 6};
    float[] b = {1, 0, -1, 2, 3, 1};
    GemmCase plain = new GemmCase(DType.F32, Gemm.NN, 1, 2, 2, 3, 4);
    assertThat(Reference.product(plain, a, b)).containsExactly(8, 7, 17, 16);
    GemmCase transposed = new GemmCase(DType.F32, Gemm.NT, 1, 2, 2, 3, 4);
    assertThat(Reference.product(transposed, a, b)).containsExactly(-2, 11, -2, 29);
    GemmCase batched = new GemmCase(DType.F32, Gemm.NN, 2, 1, 1, 3, 4);
    assertThat(Reference.product(batched, a, b)).containsExactly(-2, 29);
  }

  /** The packed sums against the definition, also at the largest sums and odd widths. */
  @Test
  void packedProductsAreThoseOfTheDefinition() {
    GemmCase odd = new GemmCase(DType.F32, Gemm.NT, 3, 5, 7, 33, 31);
    float[] a = Inputs.integers(3 * 5 * 33, 31, 1);
    float[] b = Inputs.integers(3 * 7 * 33, 31, 2);
    Arrays.fill(a, 0, 33, -31);
    Arrays.fill(b, 0, 33, 31);
    int[] c = Reference.product(odd, a, b);
    for (int i = 0; i < c.length; i++) {
      int entry = i / 35;
      int sum = 0;
      for (int p = 0; p < 33; p++) {
        sum += (int) a[(i / 7) * 33 + p] * (int) b[(entry * 7 + i % 7) * 33 + p];
      }
      assertThat(c[i]).as("element %d", i).isEqualTo(sum);
    }
    assertThat(c[0]).isEqualTo(-33 * 31 * 31);
  }

  @Test
  void sumsThatTheReferenceCannotHoldAreRefused() {
    assertThatThrownBy(() -> new GemmCase(DType.F32, Gemm.NN, 1, 1, 1, 1 << 15, 1))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("32768");
  }

  @Test
  void inputsCoverTheirRangeAndDifferByThreadAndRound() {
    float[] values = Inputs.integers(9000, 4, Inputs.seed(1, 0, 0, 0));
    for (int value = -4; value <= 4; value++) {
      float wanted = value;
      long seen = IntStream.range(0, 9000).filter(i -> values[i] == wanted).count();
      assertThat(seen).as("value %d", value).isBetween(800L, 1200L);
    }
    assertThat(Inputs.integers(64, 4, Inputs.seed(1, 1, 0, 0)))
        .isNotEqualTo(Inputs.integers(64, 4, Inputs.seed(1, 0, 0, 0)))
        .isNotEqualTo(Inputs.integers(64, 4, Inputs.seed(1, 1, 1, 0)));
  }

  @Test
  void anErrorInsideTheBoundIsWithinItOnlyWhereSumsAreNotIeee() {
    GemmCase gemm = new GemmCase(DType.BF16, Gemm.NN, 1, 1, 1, 2, 2);
    float[] a = {2, -2};
    float[] b = {2, 2};
    float[] residue = {(float) 0x1p-22};
    Sums gfx11 = new Sums(() -> false);
    Sums ieee = new Sums(() -> true);
    assertThat(outcome(gemm, a, b, residue, gfx11)).isEqualTo(Outcome.WITHIN_BOUND);
    assertThat(outcome(gemm, a, b, residue, ieee)).isEqualTo(Outcome.WRONG_RESULT);
    assertThat(outcome(gemm, a, b, residue, Sums.IEEE)).isEqualTo(Outcome.WRONG_RESULT);
    assertThat(outcome(gemm, a, b, new float[] {0}, gfx11)).isEqualTo(Outcome.EXACT);
    assertThat(outcome(gemm, a, b, new float[] {1}, gfx11)).isEqualTo(Outcome.WRONG_RESULT);
    assertThat(outcome(gemm, a, b, new float[] {Float.NaN}, gfx11)).isEqualTo(Outcome.WRONG_RESULT);
  }

  /** To measure it takes a backend of its own: not in the race, and not when nobody needs it. */
  @Test
  void howADeviceAddsIsAskedOnceAndOnlyForAnOutputThatIsNearlyRight() {
    GemmCase gemm = new GemmCase(DType.BF16, Gemm.NN, 1, 1, 1, 2, 2);
    AtomicInteger asked = new AtomicInteger();
    Sums sums = new Sums(() -> asked.incrementAndGet() == 0);
    float[] a = {2, -2};
    float[] b = {2, 2};
    Tally tally = new Tally();
    tally.check(0, 0, gemm, a, b, new float[] {0}, sums);
    tally.check(0, 1, gemm, a, b, new float[] {7}, sums);
    assertThat(tally.wrong()).isEqualTo(1);
    assertThat(asked).hasValue(0);
    Tally other = new Tally();
    for (int round = 0; round < 3; round++) {
      other.check(0, round, gemm, a, b, new float[] {(float) 0x1p-22}, sums);
    }
    assertThat(asked).as("while threads work").hasValue(0);
    tally.add(other);
    Finding finding = tally.finding(Map.of(), 1);
    assertThat(asked).hasValue(1);
    assertThat(finding.counters())
        .containsEntry("gemms", 5L)
        .containsEntry("gemms.within-bound", 3L)
        .containsEntry("gemms.wrong", 1L);
    assertThat(finding.outcome()).isEqualTo(Outcome.WRONG_RESULT);
  }

  @Test
  void whereItCannotBeMeasuredAnOutputMustBeExact() {
    GemmCase gemm = new GemmCase(DType.BF16, Gemm.NN, 1, 1, 1, 2, 2);
    Sums sums =
        new Sums(
            () -> {
              throw new HiplabException("the device is gone");
            });
    Tally tally = new Tally();
    float[] residue = {(float) 0x1p-22};
    tally.check(0, 0, gemm, new float[] {2, -2}, new float[] {2, 2}, residue, sums);
    Finding finding = tally.finding(Map.of(), 1);
    assertThat(finding.outcome()).isEqualTo(Outcome.WRONG_RESULT);
    assertThat(finding.detail())
        .contains("1 of 1 GEMMs wrong (1 in the first round")
        .contains("[0][0] is 2.3841858E-7, should be 0")
        .contains("could not be measured (the device is gone)");
  }

  @Test
  void anOutputThatNothingWroteIsCountedApart() {
    GemmCase gemm = new GemmCase(DType.F32, Gemm.NN, 1, 1, 2, 1, 4);
    Tally tally = new Tally();
    tally.check(3, 0, gemm, new float[] {1}, new float[] {1, 2}, nan(2), Sums.IEEE);
    tally.check(3, 5, gemm, new float[] {1}, new float[] {1, 2}, new float[] {1, 9}, Sums.IEEE);
    Finding finding = tally.finding(Map.of("route.rocblas", 2L), 1);
    assertThat(finding.counters())
        .containsEntry("route.rocblas", 2L)
        .containsEntry("gemms.wrong", 2L)
        .containsEntry("gemms.wrong.first-round", 1L)
        .containsEntry("gemms.never-written", 1L);
    assertThat(finding.detail())
        .contains("2 of 2 GEMMs wrong")
        .contains("thread 3, round 0")
        .contains("the poison");
  }

  private static float[] nan(int count) {
    float[] values = new float[count];
    Arrays.fill(values, Float.NaN);
    return values;
  }

  private static Outcome outcome(GemmCase gemm, float[] a, float[] b, float[] c, Sums sums) {
    Tally tally = new Tally();
    tally.check(0, 0, gemm, a, b, c, sums);
    return tally.finding(Map.of(), 1).outcome();
  }
}
