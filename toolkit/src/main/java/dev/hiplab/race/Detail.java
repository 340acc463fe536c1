package dev.hiplab.race;

import dev.hiplab.scenario.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What runs with one outcome had to say, said once.
 *
 * @param outcome theirs
 * @param first the detail of the first of them
 * @param runs how many they are
 * @param same whether all said just that; else their numbers differ
 */
public record Detail(Outcome outcome, String first, int runs, boolean same) {
  private record Key(Outcome outcome, String text) {}

  /**
   * The details of these runs, in the order in which they first occurred. Crashes count as one when
   * signal and frame are the same, other outcomes when they differ in numbers only; the points that
   * threads passed last do not count. Wrong results, each of which names another element, are one.
   */
  public static List<Detail> of(List<RunRecord> records) {
    Map<Key, Detail> details = new LinkedHashMap<>();
    for (RunRecord run : records) {
      if (!run.detail().isEmpty()) {
        Detail one = new Detail(run.outcome(), run.detail(), 1, true);
        details.merge(new Key(run.outcome(), kind(run)), one, Detail::with);
      }
    }
    return new ArrayList<>(details.values());
  }

  private static String kind(RunRecord run) {
    return switch (run.outcome()) {
      case CRASH -> LastPoints.without(run.detail());
      case WRONG_RESULT, WITHIN_BOUND -> "";
      default -> LastPoints.without(run.detail()).replaceAll("0x[0-9a-f]+|[0-9]+", "0");
    };
  }

  private Detail with(Detail other) {
    return new Detail(outcome, first, runs + 1, same && first.equals(other.first));
  }

  /** {@code 2 CRASH: SIGSEGV in ...} or {@code 7 MISROUTED, first: 459 of ...}. */
  @Override
  public String toString() {
    return runs + " " + outcome + (same ? ": " : ", first: ") + first;
  }
}
