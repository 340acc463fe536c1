package dev.hiplab.measure;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Ratio of two medians with an interval: the middle 95 % of the ratios that come out when the
 * rounds are drawn anew with replacement (a percentile bootstrap of {@value #DRAWS} draws from a
 * fixed seed). Both arms are drawn by the same rounds, as what disturbs a round disturbs both. It
 * says how far the ratio would move if these rounds were drawn again, and nothing of another day or
 * machine. Of more than {@value #MOST} rounds as many are drawn from, evenly spread, so that the
 * interval is rather too wide.
 *
 * @param median of the one over the median of the other
 * @param low NaN below {@value #FEWEST} rounds, where an interval would say nothing; so is high
 */
public record Ratio(double median, double low, double high) {
  private static final int DRAWS = 1000;
  private static final int FEWEST = 8;
  private static final int MOST = 4000;
  private static final long SEED = 1;

  static Ratio of(Samples one, Samples other) {
    double median = one.median() / other.median();
    int rounds = Math.min(one.count(), other.count()); // an interrupt may leave one less
    if (rounds < FEWEST) {
      return new Ratio(median, Double.NaN, Double.NaN);
    }
    double[] above = spread(one.values(), rounds);
    double[] below = spread(other.values(), rounds);
    rounds = above.length;
    SplittableRandom random = new SplittableRandom(SEED);
    double[] ratios = new double[DRAWS];
    double[] first = new double[rounds];
    double[] second = new double[rounds];
    for (int draw = 0; draw < DRAWS; draw++) {
      for (int i = 0; i < rounds; i++) {
        int round = random.nextInt(rounds);
        first[i] = above[round];
        second[i] = below[round];
      }
      Arrays.sort(first);
      Arrays.sort(second);
      ratios[draw] = Samples.quantile(first, 0.5) / Samples.quantile(second, 0.5);
    }
    Arrays.sort(ratios);
    return new Ratio(median, Samples.quantile(ratios, 0.025), Samples.quantile(ratios, 0.975));
  }

  /** At most so many of the rounds, evenly spread over them; the same ones of both arms. */
  private static double[] spread(double[] values, int rounds) {
    int kept = Math.min(rounds, MOST);
    double[] few = new double[kept];
    for (int i = 0; i < kept; i++) {
      few[i] = values[(int) ((long) i * rounds / kept)];
    }
    return few;
  }

  /** {@code 0.52 (0.49 to 0.55)}. */
  @Override
  public String toString() {
    String interval =
        Double.isNaN(low) ? "" : String.format(Locale.ROOT, " (%.3f to %.3f)", low, high);
    return String.format(Locale.ROOT, "%.3f", median) + interval;
  }
}
