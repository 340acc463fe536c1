package dev.hiplab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.hiplab.HiplabException;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.junit.jupiter.api.Test;

class SamplesTest {
  /** By hand: sorted 1 2 3 4 100; quartiles 2 and 4, fences -1 and 7; distances 2 1 0 1 97. */
  @Test
  void anOutlierIsCountedAndMovesNothing() {
    Samples samples = Samples.of(3, 100, 1, 4, 2);
    assertThat(samples.count()).isEqualTo(5);
    assertThat(samples.median()).isEqualTo(3);
    assertThat(samples.lowerQuartile()).isEqualTo(2);
    assertThat(samples.upperQuartile()).isEqualTo(4);
    assertThat(samples.min()).isEqualTo(1);
    assertThat(samples.max()).isEqualTo(100);
    assertThat(samples.medianAbsoluteDeviation()).isEqualTo(1);
    assertThat(samples.outliers()).isEqualTo(1);
    assertThat(samples.values()).containsExactly(3, 100, 1, 4, 2);
  }

  /** Fences of 0 to 8 in eights: quartiles 2 and 6, so -4 and 12. */
  @Test
  void whatLiesOnAFenceIsInside() {
    assertThat(Samples.of(0, 2, 2, 4, 6, 6, 12).outliers()).isZero();
    assertThat(Samples.of(0, 2, 2, 4, 6, 6, 12.5).outliers()).isEqualTo(1);
    assertThat(Samples.of(-5, 2, 2, 4, 6, 6, 12.5).outliers()).isEqualTo(2);
  }

  @Test
  void oneSampleIsAllOfIt() {
    Samples one = Samples.of(7);
    assertThat(new double[] {one.median(), one.lowerQuartile(), one.upperQuartile()})
        .containsExactly(7, 7, 7);
    assertThat(one.medianAbsoluteDeviation()).isZero();
    assertThat(one.outliers()).isZero();
    assertThat(one)
        .hasToString("1 sample, median 7.0, quartiles 7.0 to 7.0, 7.0 to 7.0, 0 outside");
    assertThat(Samples.of(1, 2).median()).isEqualTo(1.5);
  }

  @Test
  void quantilesAreThoseOfALibrary() {
    SplittableRandom random = new SplittableRandom(5);
    Percentile library = new Percentile().withEstimationType(EstimationType.R_7);
    for (int count = 1; count <= 60; count++) {
      double[] values = random.doubles(count, -3, 8).toArray();
      Samples samples = Samples.of(values);
      for (double share : new double[] {0.025, 0.25, 0.5, 0.75, 1}) {
        assertThat(samples.quantile(share))
            .isCloseTo(library.evaluate(values, 100 * share), within(1e-12));
      }
    }
  }

  @Test
  void nothingAndNoNumberAreRefused() {
    assertThatThrownBy(Samples::of)
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("at least one value");
    assertThatThrownBy(() -> Samples.of(1, Double.NaN))
        .hasMessage("samples need finite values: number 1 of 2 is NaN");
    assertThatThrownBy(() -> Samples.of(1).quantile(1.1)).hasMessageContaining("from 0 to 1");
  }

  @Test
  void anIntervalOfRatiosHoldsItsMedianAndIsTheSameEachTime() {
    SplittableRandom random = new SplittableRandom(9);
    double[] one = random.doubles(101, 1, 2).toArray();
    double[] other = random.doubles(101, 3, 4).toArray();
    Ratio ratio = Ratio.of(Samples.of(one), Samples.of(other));
    assertThat(ratio.median())
        .isEqualTo(Samples.of(one).median() / Samples.of(other).median())
        .isStrictlyBetween(ratio.low(), ratio.high());
    assertThat(ratio.high() - ratio.low()).isStrictlyBetween(0.0, 0.2);
    assertThat(Ratio.of(Samples.of(one), Samples.of(other))).isEqualTo(ratio);
    assertThat(Ratio.of(Samples.of(one), Samples.of(one))).isEqualTo(new Ratio(1, 1, 1));
  }

  /** What slows a round slows both arms of it: drawn by rounds the ratio stays as it is. */
  @Test
  void whatDisturbsARoundDisturbsBothArms() {
    double[] slow = new SplittableRandom(3).doubles(51, 1, 100).toArray();
    double[] twice = java.util.Arrays.stream(slow).map(value -> 2 * value).toArray();
    assertThat(Ratio.of(Samples.of(twice), Samples.of(slow))).isEqualTo(new Ratio(2, 2, 2));
  }

  @Test
  void fewRoundsHaveNoInterval() {
    Ratio ratio = Ratio.of(Samples.of(2, 2), Samples.of(4, 4));
    assertThat(ratio).hasToString("0.500");
    assertThat(ratio.low()).isNaN();
  }

  /** Of very many rounds some are drawn from, those of one place in both arms. */
  @Test
  void theIntervalOfManyRoundsKeepsThemPaired() {
    double[] one = new double[100_003];
    double[] twice = new double[one.length];
    for (int i = 0; i < one.length; i++) {
      one[i] = 1 + i * 0.7 % 1; // a draw of unpaired rounds would vary
      twice[i] = 2 * one[i];
    }
    assertThat(Ratio.of(Samples.of(twice), Samples.of(one))).isEqualTo(new Ratio(2, 2, 2));
    twice[1] = 1e9; // one outlier moves no median
    assertThat(Ratio.of(Samples.of(twice), Samples.of(one)).high()).isLessThan(2.01);
  }
}
