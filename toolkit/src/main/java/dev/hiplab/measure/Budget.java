package dev.hiplab.measure;

import dev.hiplab.HiplabException;
import java.time.Duration;

/** Time for measuring, in which nanoseconds can be counted. */
final class Budget {
  private static final Duration MOST = Duration.ofDays(1);

  private Budget() {}

  /**
   * The same.
   *
   * @throws HiplabException when it is missing or more than a day
   */
  static Duration of(Duration time) {
    if (time == null || time.compareTo(MOST) > 0) {
      throw new HiplabException("the budget is " + time + "; give a day (PT24H) at most");
    }
    return time;
  }
}
