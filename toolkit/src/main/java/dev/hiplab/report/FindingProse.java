package dev.hiplab.report;

import dev.hiplab.race.Detail;
import dev.hiplab.race.FormSummary;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.Comparator;

/** One sentence on a row: what its outcomes say of the form. */
final class FindingProse {
  private static final int LONGEST = 220;

  private FindingProse() {}

  static String of(FormSummary row) {
    int runs = row.runs();
    if (row.count(Outcome.NOT_APPLICABLE) == runs) {
      return "not applicable: " + detail(row, Outcome.NOT_APPLICABLE);
    }
    int forbidden = row.count(Grade.FORBIDDEN);
    if (forbidden > 0) {
      return "**against the source in "
          + of(forbidden, runs)
          + "**: "
          + detail(row, Grade.FORBIDDEN);
    }
    if (row.isGuard()) {
      return "a guard here, no reproduction" + because(row);
    }
    int right = (int) row.records().stream().filter(run -> run.outcome().isRight()).count();
    int excluded = row.count(Outcome.EXCLUDED);
    if (excluded > 0 && right + excluded == runs) {
      return "excluded in " + of(excluded, runs) + ": " + detail(row, Outcome.EXCLUDED);
    }
    if (right == runs) {
      return "right in " + of(right, runs) + because(row);
    }
    int failed = runs - right - excluded;
    String orders = row.ordersInWords();
    return "fails in "
        + of(failed, runs)
        + (orders.isEmpty() ? "" : ", " + orders)
        + why(row, failed);
  }

  /** What most of the failing runs said: each the same, or in words that differ. */
  private static String why(FormSummary row, int failed) {
    return Detail.of(row.records()).stream()
        .filter(one -> Outcome.FAILURES.contains(one.outcome()))
        .max(Comparator.comparingInt(Detail::runs))
        .map(
            most ->
                (most.same()
                        ? (most.runs() == failed ? "" : ", " + most.runs() + " times")
                        : ", such as")
                    + ": "
                    + shortened(most.first()))
        .orElse("");
  }

  private static String of(int count, int runs) {
    return count == runs ? "all " + runs : count + " of " + runs;
  }

  /** What the right runs had to add, such as that the order did no harm. */
  private static String because(FormSummary row) {
    String said = mostSaid(row);
    return said.isEmpty() ? "" : ": " + said;
  }

  private static String detail(FormSummary row, Outcome outcome) {
    return row.records().stream()
        .filter(run -> run.outcome() == outcome && !run.detail().isEmpty())
        .findFirst()
        .map(run -> shortened(run.detail()))
        .orElse("");
  }

  private static String detail(FormSummary row, Grade grade) {
    return row.records().stream()
        .filter(run -> run.grade() == grade)
        .findFirst()
        .map(run -> run.outcome() + ", " + shortened(run.detail()))
        .orElse("");
  }

  private static String mostSaid(FormSummary row) {
    return Detail.of(row.records()).stream()
        .max(Comparator.comparingInt(Detail::runs))
        .map(most -> shortened(most.first()))
        .orElse("");
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }
}
