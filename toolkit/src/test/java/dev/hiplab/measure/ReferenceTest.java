package dev.hiplab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.DType;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceTest {
  private static float[] integers(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextInt(-2, 3);
    }
    return values;
  }

  private static Reference all(Problem p, float[] a, float[] b) {
    return on(p, a, b, false);
  }

  private static Reference on(Problem p, float[] a, float[] b, boolean ieee) {
    return Reference.of(p, a, b, Chosen.of(p, 1, Long.MAX_VALUE), ieee);
  }

  /** Straight from the definition, on indices. */
  private static float[] product(Problem p, float[] a, float[] b) {
    float[] c = new float[p.batch() * p.m() * p.n()];
    for (int e = 0; e < p.batch(); e++) {
      for (int i = 0; i < p.m(); i++) {
        for (int j = 0; j < p.n(); j++) {
          long sum = 0;
          for (int x = 0; x < p.k(); x++) {
            int inA = p.spec().transA() ? x * p.m() + i : i * p.k() + x;
            int inB = p.spec().transB() ? j * p.k() + x : x * p.n() + j;
            sum += (long) a[e * p.m() * p.k() + inA] * (long) b[e * p.k() * p.n() + inB];
          }
          c[(e * p.m() + i) * p.n() + j] = sum;
        }
      }
    }
    return c;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"f32 3x5x7 NN", "f32 3x5x7 NT", "f32 3x5x7 TN", "f32 3x5x7 TT", "f16 2x3x5x7 NT"})
  void theProductIsExactForEveryTranspose(String shape) {
    Problem p = Problem.of(shape);
    float[] a = integers(p.batch() * p.m() * p.k(), 1);
    float[] b = integers(p.batch() * p.k() * p.n(), 2);
    float[] c = product(p, a, b);
    Reference.Comparison right = all(p, a, b).compare(c);
    assertThat(right.verdict()).isEqualTo(Verdict.EXACT);
    assertThat(right.checked()).isEqualTo(c.length);
    assertThat(right.largestError()).isZero();
    for (int i = 0; i < c.length; i++) {
      float[] off = c.clone();
      off[i] += 1;
      assertThat(all(p, a, b).compare(off).verdict()).as(shape + " " + i).isEqualTo(Verdict.WRONG);
    }
  }

  /** 2 K u sum|ab| with K = 4 and |ab| = 4 each is 2^-17; half a step of f32 at 16 is 2^-20. */
  @Test
  void theBoundIsTheOneThatIsWrittenDown() {
    Problem p = Problem.of("f32 1x1x4 NN");
    Reference reference = all(p, new float[] {2, 2, 2, 2}, new float[] {2, 2, 2, 2});
    assertThat(reference.bound(0)).isEqualTo(0x1p-17 + 0x1p-20 * 1);
    assertThat(reference.compare(new float[] {16}).verdict()).isEqualTo(Verdict.EXACT);
    Reference.Comparison near = reference.compare(new float[] {16 + 0x1p-18f});
    assertThat(near.verdict()).isEqualTo(Verdict.WITHIN_BOUND);
    assertThat(near.largestError()).isEqualTo(0x1p-18);
    assertThat(near.bound()).isEqualTo(reference.bound(0));
    Reference.Comparison far = reference.compare(new float[] {16 + 0x1p-16f});
    assertThat(far.verdict()).isEqualTo(Verdict.WRONG);
    assertThat(far.largestError()).isEqualTo(0x1p-16);
    assertThat(far.worst()).isEqualTo("output [0, 0] is 16.000015258789062, not 16.0");
  }

  /**
   * Where the device adds the IEEE way and no sum is rounded, only the output's own step is left.
   */
  @Test
  void exactSumsAreAskedForWhereTheDeviceMakesThem() {
    Problem p = Problem.of("f32 1x1x4 NN");
    float[] twos = {2, 2, 2, 2};
    assertThat(on(p, twos, twos, true).bound(0)).isEqualTo(0x1p-20);
    float[] near = {16 + 0x1p-18f};
    assertThat(on(p, twos, twos, false).compare(near).verdict()).isEqualTo(Verdict.WITHIN_BOUND);
    assertThat(on(p, twos, twos, true).compare(near).verdict()).isEqualTo(Verdict.WRONG);
    // Above 2^24 an f32 sum may be rounded.
    float[] large = {4096, 4096, 0, 0};
    assertThat(on(p, large, large, true).bound(0)).isEqualTo(2.0 * 4 * 0x1p-24 * 0x1p25 + 2);
  }

  /** 257 is halfway between the bf16 values 256 and 258, and goes to the even one. */
  @Test
  void anExactOutputIsRoundedOnceToItsType() {
    Problem p = Problem.of("bf16 1x1x257 NN");
    float[] ones = new float[257];
    Arrays.fill(ones, 1);
    Reference reference = all(p, ones, ones);
    Reference.Comparison rounded = reference.compare(new float[] {256});
    assertThat(rounded.verdict()).isEqualTo(Verdict.EXACT);
    assertThat(rounded.largestError()).isEqualTo(1);
    assertThat(reference.compare(new float[] {258}).verdict()).isEqualTo(Verdict.WITHIN_BOUND);
    assertThat(reference.compare(new float[] {260}).verdict()).isEqualTo(Verdict.WRONG);
  }

  @Test
  void anOutputThatNothingWroteIsWrongWhereverItIs() {
    Problem p = Problem.of("f32 100x100x100 NN");
    float[] zeros = new float[10000];
    Reference few = Reference.of(p, zeros, zeros, new int[] {0, 9999}, true);
    float[] out = new float[10000];
    assertThat(few.compare(out).verdict()).isEqualTo(Verdict.EXACT);
    out[4321] = Float.NaN;
    Reference.Comparison found = few.compare(out);
    assertThat(found.verdict()).isEqualTo(Verdict.WRONG);
    assertThat(found.worst()).isEqualTo("output [43, 21] was not written (NaN)");
    assertThat(found.checked()).isEqualTo(2);
  }

  @Test
  void cornersAndEdgesAreAlwaysAmongWhatIsCompared() {
    Problem p = Problem.of("bf16 3x40x50x1000 NT");
    int[] chosen = Chosen.of(p, 7, 500_000);
    assertThat(chosen).isSorted().doesNotHaveDuplicates();
    int last = 2 * 2000;
    assertThat(chosen).contains(0, 49, 1950, 1999, last, last + 49);
    for (int column = 0; column < 50; column++) {
      assertThat(chosen).contains(last + 1950 + column);
    }
    for (int row = 0; row < 40; row++) {
      assertThat(chosen).contains(last + row * 50 + 49);
    }
    assertThat(chosen.length).isBetween(94, 500);
    assertThat(Arrays.stream(chosen).filter(place -> place < last)).hasSizeGreaterThan(200);
    assertThat(Chosen.of(p, 7, 500_000)).isEqualTo(chosen);
    assertThat(Chosen.of(p, 8, 500_000)).isNotEqualTo(chosen);
    assertThat(Chosen.of(p, 7, 1)).hasSize(94); // corners and edges alone: 4, 1, and 50 + 40 - 1
    assertThat(Chosen.of(p, 7, p.multiplyAdds())).hasSize(6000);
  }

  @Test
  void roundingIsThatOfTheTypes() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 100_000; i++) {
      double value = random.nextDouble(-3, 3) * Math.pow(10, random.nextInt(-42, 42));
      assertThat(Rounding.nearest(DType.F32, value)).isEqualTo((float) value);
    }
    assertThat(Rounding.nearest(DType.F16, 2049)).isEqualTo(2048);
    assertThat(Rounding.nearest(DType.F16, 65519)).isEqualTo(65504);
    assertThat(Rounding.nearest(DType.F16, -65520)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(Rounding.nearest(DType.F16, 0x1.8p-25)).isEqualTo(0x1p-24);
    assertThat(Rounding.nearest(DType.F16, 0x1p-25)).isZero();
    assertThat(Rounding.nearest(DType.BF16, 259)).isEqualTo(260);
    assertThat(Rounding.half(DType.BF16, 256)).isEqualTo(1);
  }
}
