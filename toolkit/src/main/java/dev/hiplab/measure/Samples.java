package dev.hiplab.measure;

import dev.hiplab.HiplabException;
import java.util.Arrays;

/**
 * Measured values of one kind, at least one, in the order in which they were measured, and what is
 * said of them so that a few outliers do not move it. Nothing is thrown away: outliers are counted.
 * Immutable.
 */
public final class Samples {
  /** Fences lie this many interquartile ranges outside the quartiles (Tukey). */
  private static final double FENCE = 1.5;

  private final double[] values;
  private final double[] sorted;

  private Samples(double[] values) {
    this.values = values;
    this.sorted = values.clone();
    Arrays.sort(sorted);
  }

  /**
   * Takes a copy of the values.
   *
   * @throws HiplabException when there is none, or one is not finite
   */
  public static Samples of(double... values) {
    if (values == null || values.length == 0) {
      throw new HiplabException("samples need at least one value; measure something first");
    }
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        throw new HiplabException(
            "samples need finite values: number "
                + i
                + " of "
                + values.length
                + " is "
                + values[i]);
      }
    }
    return new Samples(values.clone());
  }

  /** In the order of measuring. */
  public double[] values() {
    return values.clone();
  }

  public int count() {
    return values.length;
  }

  public double min() {
    return sorted[0];
  }

  public double max() {
    return sorted[sorted.length - 1];
  }

  public double median() {
    return quantile(0.5);
  }

  public double lowerQuartile() {
    return quantile(0.25);
  }

  public double upperQuartile() {
    return quantile(0.75);
  }

  /**
   * Linear between the two values beside it: at place {@code share * (count - 1)} of the sorted
   * ones.
   *
   * @param share 0 is the smallest value, 1 the largest
   */
  public double quantile(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new HiplabException("a quantile's share is " + share + "; give one from 0 to 1");
    }
    return quantile(sorted, share);
  }

  static double quantile(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** Median of the distances from the median, as it is (not scaled to a standard deviation). */
  public double medianAbsoluteDeviation() {
    double median = median();
    double[] distances = Arrays.stream(values).map(value -> Math.abs(value - median)).toArray();
    Arrays.sort(distances);
    return quantile(distances, 0.5);
  }

  /** How many lie more than 1.5 interquartile ranges outside the quartiles. */
  public int outliers() {
    double range = FENCE * (upperQuartile() - lowerQuartile());
    double low = lowerQuartile() - range;
    double high = upperQuartile() + range;
    return (int) Arrays.stream(values).filter(value -> value < low || value > high).count();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Samples samples && Arrays.equals(values, samples.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  /** Such as {@code 20 samples, median 0.21, quartiles 0.2 to 0.23, 0.19 to 0.9, 1 outside}. */
  @Override
  public String toString() {
    return count()
        + (count() == 1 ? " sample" : " samples")
        + ", median "
        + median()
        + ", quartiles "
        + lowerQuartile()
        + " to "
        + upperQuartile()
        + ", "
        + min()
        + " to "
        + max()
        + ", "
        + outliers()
        + " outside";
  }
}
