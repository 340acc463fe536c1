package dev.hiplab.report.sides;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Outcome;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One form of one scenario in one way, on each side.
 *
 * @param scenario id
 * @param profile the software device's, where a side has runs on several; else empty
 * @param form name
 * @param way label of the interleaving
 * @param sides in their order; null on a side that has no such run
 */
record SideRow(String scenario, String profile, String form, String way, List<FormSummary> sides) {

  /** Such as {@code FILED natural}. */
  String label() {
    return form + (profile.isEmpty() ? "" : " on " + profile) + " " + way;
  }

  boolean isMissing(int side) {
    return sides.get(side) == null;
  }

  /** Whether two sides that have the row ended in other kinds of outcomes. */
  boolean differs() {
    return sides.stream().filter(one -> one != null).map(SideRow::kinds).distinct().count() > 1;
  }

  private static Set<Outcome> kinds(FormSummary side) {
    return side.outcomes().keySet();
  }

  /** Runs that failed; those that the device could not show count neither so nor so. */
  int failed(int side) {
    return sides.get(side).count(Outcome.FAILURES);
  }

  int right(int side) {
    return sides.get(side).count(Outcome.PASSES);
  }

  /**
   * Fisher's p of failed against right, beside the first side; NaN when there is nothing to test.
   */
  double p(int side) {
    if (side == 0 || isMissing(0) || isMissing(side)) {
      return Double.NaN;
    }
    boolean some = failed(0) + right(0) > 0 && failed(side) + right(side) > 0;
    return some ? Fisher.p(failed(0), right(0), failed(side), right(side)) : Double.NaN;
  }

  /** Milliseconds; NaN when the side has no such run, or none with a time. */
  double median(int side, ToDoubleFunction<RunRecord> millis) {
    return isMissing(side) ? Double.NaN : sides.get(side).median(millis);
  }

  /**
   * Median of a side over that of the first one; NaN when one of them has none, or when only one
   * did the work.
   */
  double ratio(int side, ToDoubleFunction<RunRecord> millis) {
    boolean same = !isMissing(0) && !isMissing(side) && shown(0) == shown(side);
    return same ? median(side, millis) / median(0, millis) : Double.NaN;
  }

  /** Whether the device had what the finding needs. */
  private boolean shown(int side) {
    return sides.get(side).count(Outcome.NOT_APPLICABLE) < sides.get(side).runs();
  }

  /** What a side ended with, in words. */
  String words(int side) {
    return isMissing(side) ? "no such run" : sides.get(side).outcomesInWords();
  }

  /** All that was seen on each side, in a line. */
  String inWords(List<String> names) {
    return IntStream.range(0, names.size())
        .mapToObj(side -> names.get(side) + " " + words(side))
        .collect(Collectors.joining(", "));
  }
}
