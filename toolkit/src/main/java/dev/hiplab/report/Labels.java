package dev.hiplab.report;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.InProcess;
import dev.hiplab.race.RunRecord;
import java.util.List;

/** Words that tables and plots share. */
final class Labels {
  private Labels() {}

  /** {@code 1 run}, {@code 20 runs}. */
  static String runs(int count) {
    return count + (count == 1 ? " run" : " runs");
  }

  /** What a run is. */
  static String kind(List<RunRecord> records) {
    boolean inProcess = records.stream().allMatch(InProcess::made);
    return inProcess ? "run in this process" : "fresh process";
  }

  /** A form's name among {@code all}: says only what tells it from the others. */
  static String of(FormSummary form, List<FormSummary> all) {
    StringBuilder label = new StringBuilder(form.form());
    if (all.stream().map(FormSummary::profile).distinct().count() > 1
        && !form.profile().isEmpty()) {
      label.append(" on ").append(form.profile());
    }
    if (all.stream().map(FormSummary::way).distinct().count() > 1
        || !form.way().equals("natural")) {
      label.append(' ').append(form.way());
    }
    if (all.stream().map(FormSummary::scenario).distinct().count() > 1) {
      label.insert(0, form.scenario() + " ");
    }
    return label.toString();
  }
}
