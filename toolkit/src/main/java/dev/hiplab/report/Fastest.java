package dev.hiplab.report;

import dev.hiplab.measure.SurveyRow;
import dev.hiplab.measure.Verdict;
import java.util.Comparator;
import java.util.List;

/**
 * The fastest candidate of a shape among those that were timed and are not wrong.
 *
 * @param level those that are as fast within the spread, itself among them: their lower quartile is
 *     at most its upper quartile
 * @param first median of the heuristic's first over its own; NaN when that one was not timed
 * @param slowest median of the slowest over its own
 */
record Fastest(SurveyRow row, List<SurveyRow> level, double first, double slowest) {
  /** Null when none was timed. */
  static Fastest of(List<SurveyRow> rows) {
    List<SurveyRow> timed =
        rows.stream()
            .filter(row -> row.times().repetitions() > 0 && row.verdict() != Verdict.WRONG)
            .sorted(Comparator.comparingDouble(row -> row.times().median()))
            .toList();
    if (timed.isEmpty()) {
      return null;
    }
    double best = timed.get(0).times().median();
    double limit = timed.get(0).times().upperQuartile();
    return new Fastest(
        timed.get(0),
        timed.stream().filter(row -> row.times().lowerQuartile() <= limit).toList(),
        rows.get(0).times().median() / best,
        timed.get(timed.size() - 1).times().median() / best);
  }
}
