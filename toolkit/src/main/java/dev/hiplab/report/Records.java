package dev.hiplab.report;

import dev.hiplab.race.RunRecord;
import java.util.List;

/** Small questions about lists of runs. */
final class Records {
  private Records() {}

  static List<RunRecord> some(List<RunRecord> records) {
    if (records == null || records.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no run to plot: the list of records is "
              + (records == null ? "null" : "empty")
              + "; run a campaign, or read its"
              + " .jsonl file, first.");
    }
    return records;
  }

  /** The title of a plot: the scenario, when all runs are of one, and what is shown. */
  static String title(List<RunRecord> records, String what) {
    List<String> scenarios = records.stream().map(RunRecord::scenario).distinct().toList();
    return scenarios.size() == 1
        ? scenarios.get(0) + ": " + what
        : Character.toUpperCase(what.charAt(0)) + what.substring(1);
  }
}
