package dev.hiplab.report;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/**
 * A row per scenario, profile, form and way: runs, how often each outcome, medians in milliseconds.
 */
public final class SummaryTable {
  private SummaryTable() {}

  /**
   * With a column for every outcome, so that files of different campaigns have one layout, and the
   * quartiles that {@link RunTimePlot} draws.
   */
  public static Table of(List<RunRecord> records) {
    return build(records, true);
  }

  /** With columns only for the outcomes that occurred. */
  public static Table brief(List<RunRecord> records) {
    return build(records, false);
  }

  private static Table build(List<RunRecord> records, boolean everyOutcome) {
    Kernel.current(); // a table as a cell's last expression renders only once it is registered
    List<FormSummary> groups = FormSummary.of(records);
    Table table =
        Table.create(
            "summary",
            text("scenario", groups, FormSummary::scenario),
            text("profile", groups, FormSummary::profile),
            text("form", groups, FormSummary::form),
            text("way", groups, FormSummary::way),
            count("runs", groups, FormSummary::runs));
    for (Outcome outcome : Outcome.values()) {
      if (everyOutcome || records.stream().anyMatch(run -> run.outcome() == outcome)) {
        table.addColumns(count(outcome.name(), groups, group -> group.count(outcome)));
      }
    }
    table.addColumns(
        count("forbidden", groups, group -> group.count(Grade.FORBIDDEN)),
        millis("median wall ms", groups, RunRecord::wallMillis, 0.5),
        millis("median work ms", groups, RunRecord::workMillis, 0.5));
    if (everyOutcome) {
      table.addColumns(
          millis("lower quartile wall ms", groups, RunRecord::wallMillis, 0.25),
          millis("upper quartile wall ms", groups, RunRecord::wallMillis, 0.75),
          millis("lower quartile work ms", groups, RunRecord::workMillis, 0.25),
          millis("upper quartile work ms", groups, RunRecord::workMillis, 0.75));
    }
    return table;
  }

  private static StringColumn text(
      String name, List<FormSummary> groups, Function<FormSummary, String> value) {
    return StringColumn.create(name, groups.stream().map(value).toArray(String[]::new));
  }

  private static IntColumn count(
      String name, List<FormSummary> groups, ToIntFunction<FormSummary> value) {
    return IntColumn.create(name, groups.stream().mapToInt(value).toArray());
  }

  private static DoubleColumn millis(
      String name, List<FormSummary> groups, ToDoubleFunction<RunRecord> value, double share) {
    return DoubleColumn.create(
        name, groups.stream().mapToDouble(group -> group.quantile(value, share)).toArray());
  }
}
