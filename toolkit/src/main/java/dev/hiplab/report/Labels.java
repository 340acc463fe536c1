package dev.hiplab.report;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.InProcess;
import dev.hiplab.race.RunRecord;
import java.util.List;
import java.util.Locale;

/** Words that tables and plots share. */
public final class Labels {
  private Labels() {}

  /** {@code 1 run}, {@code 20 runs}. */
  public static String runs(int count) {
    return count + (count == 1 ? " run" : " runs");
  }

  /** What a run is. */
  static String kind(List<RunRecord> records) {
    boolean inProcess = records.stream().allMatch(InProcess::made);
    return inProcess ? "run in this process" : "fresh process";
  }

  /** Milliseconds without their unit: {@code 4.2}, {@code 412}; empty when there is no number. */
  public static String millis(double value) {
    return Double.isNaN(value)
        ? ""
        : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }

  /** A form's name among {@code all}: says only what tells it from the others. */
  public static String of(FormSummary form, List<FormSummary> all) {
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
