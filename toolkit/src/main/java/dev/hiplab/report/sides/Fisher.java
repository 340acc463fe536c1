package dev.hiplab.report.sides;

/** Fisher's exact test of a table of two by two counts. */
final class Fisher {
  private static final double ROUNDING = 1 + 1e-7;

  private Fisher() {}

  /**
   * How likely a split at least as uneven is when both sides fail equally often: the two-sided
   * value, over the tables with these sums that are no likelier than this one.
   *
   * @return 0 to 1; 1 when a side has no runs
   */
  static double p(int failedHere, int rightHere, int failedThere, int rightThere) {
    int here = failedHere + rightHere;
    int there = failedThere + rightThere;
    int failed = failedHere + failedThere;
    double[] logs = logFactorials(here + there);
    double seen = log(logs, failedHere, here, there, failed);
    double sum = 0;
    for (int x = Math.max(0, failed - there); x <= Math.min(failed, here); x++) {
      double one = log(logs, x, here, there, failed);
      sum += one <= seen + Math.log(ROUNDING) ? Math.exp(one) : 0;
    }
    return Math.min(1, sum);
  }

  /** Hypergeometric: x of the failed ones are here. */
  private static double log(double[] logs, int x, int here, int there, int failed) {
    return choose(logs, here, x)
        + choose(logs, there, failed - x)
        - choose(logs, here + there, failed);
  }

  private static double choose(double[] logs, int n, int k) {
    return logs[n] - logs[k] - logs[n - k];
  }

  private static double[] logFactorials(int n) {
    double[] logs = new double[n + 1];
    for (int i = 2; i <= n; i++) {
      logs[i] = logs[i - 1] + Math.log(i);
    }
    return logs;
  }
}
