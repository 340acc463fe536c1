package dev.hiplab.scenario;

import dev.hiplab.HiplabException;
import java.util.Map;

/**
 * What a workload measured.
 *
 * @param outcome decided from what was measured, never from the form's name
 * @param detail one sentence: what was wrong, where first; empty when nothing was
 * @param counters what was counted
 * @param workMillis the concurrent part alone; NaN when it did not run
 */
public record Finding(
    Outcome outcome, String detail, Map<String, Long> counters, double workMillis) {
  public Finding {
    if (outcome == null || detail == null || counters == null) {
      throw new HiplabException(
          "a finding needs an outcome, a detail (\"\" when nothing was wrong) and counters"
              + " (Map.of() when nothing was counted)");
    }
    check(counters);
  }

  private static void check(Map<String, Long> counters) {
    for (Map.Entry<String, Long> counter : counters.entrySet()) {
      String name = counter.getKey();
      if (name == null || counter.getValue() == null || !plain(name)) {
        throw new HiplabException(
            "a counter is called '"
                + name
                + "' and has the value "
                + counter.getValue()
                + "; it needs a number, and a name of one line without '='");
      }
    }
  }

  private static boolean plain(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) < ' ' || name.charAt(i) == '=') {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /**
   * What a workload returned.
   *
   * @throws HiplabException when that is null
   */
  public static Finding of(Finding returned) {
    if (returned == null) {
      throw new HiplabException(
          "the workload returned null, which is no finding; return tally.finding(...) or"
              + " new Finding(...)");
    }
    return returned;
  }

  /** The device lacks what the finding needs. */
  public static Finding notApplicable(String reason, Map<String, Long> counters) {
    return new Finding(Outcome.NOT_APPLICABLE, reason, counters, Double.NaN);
  }

  /** The same counters and time, with another outcome. */
  public Finding as(Outcome other, String why) {
    return new Finding(other, why, counters, workMillis);
  }

  /** The same outcome and time, with these counters. */
  public Finding withCounters(Map<String, Long> others) {
    return new Finding(outcome, detail, others, workMillis);
  }

  /** The same with the milliseconds of its work. */
  public Finding withWork(double millis) {
    return new Finding(outcome, detail, counters, millis);
  }
}
