package dev.hiplab.report.html;

import static dev.hiplab.report.html.HtmlTable.Kind.NUMBER;
import static dev.hiplab.report.html.HtmlTable.Kind.TEXT;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Set;
import java.util.TreeSet;

/** What runs counted: a row for each counter, a column for each form and way. */
final class CounterRows {
  private CounterRows() {}

  /**
   * The table; empty when nothing was counted. A range is the smallest and the largest of a row's
   * runs.
   */
  static String of(List<FormSummary> rows) {
    Set<String> names = new TreeSet<>();
    rows.forEach(row -> row.records().forEach(run -> names.addAll(run.counters().keySet())));
    if (names.isEmpty()) {
      return "";
    }
    HtmlTable table = new HtmlTable("counters; smallest and largest where runs differ");
    table.column("counter", TEXT);
    rows.forEach(row -> table.column(Labels.of(row, rows), NUMBER));
    for (String name : names) {
      List<String> cells = new ArrayList<>(List.of(Html.code(name)));
      rows.forEach(row -> cells.add(range(row.records(), name)));
      table.row(cells);
    }
    return Html.details("counters: " + names.size(), table.html());
  }

  private static String range(List<RunRecord> runs, String name) {
    LongSummaryStatistics seen =
        runs.stream()
            .filter(run -> run.counters().containsKey(name))
            .mapToLong(run -> run.counters().get(name))
            .summaryStatistics();
    if (seen.getCount() == 0) {
      return "";
    }
    return seen.getMin() == seen.getMax()
        ? Long.toString(seen.getMin())
        : seen.getMin() + " to " + seen.getMax();
  }
}
