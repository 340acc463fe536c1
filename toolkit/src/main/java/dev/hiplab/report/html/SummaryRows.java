package dev.hiplab.report.html;

import static dev.hiplab.report.html.HtmlTable.Kind.NUMBER;
import static dev.hiplab.report.html.HtmlTable.Kind.TEXT;
import static java.util.stream.Collectors.joining;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.Labels;
import dev.hiplab.scenario.Grade;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A row for each form and way: runs, outcomes, grades, orders, medians. */
final class SummaryRows {
  private SummaryRows() {}

  /**
   * The table.
   *
   * @param asked runs of each row that were asked for; 0 when that is not known
   * @param linked whether rows begin with their scenario, linked to its section
   */
  static String of(List<FormSummary> rows, int asked, boolean linked) {
    boolean profiles = rows.stream().map(FormSummary::profile).distinct().count() > 1;
    boolean orders = rows.stream().anyMatch(row -> !row.ordersInWords().isEmpty());
    HtmlTable table = new HtmlTable("summary; times are medians in milliseconds");
    if (linked) {
      table.column("scenario", TEXT);
    }
    table.column("form", TEXT).column("way", TEXT);
    if (profiles) {
      table.column("profile", TEXT);
    }
    table.column("runs", NUMBER).column("outcomes", TEXT).column("grades", TEXT);
    if (orders) {
      table.column("forced order", TEXT);
    }
    table.column("process ms", NUMBER).column("workload ms", NUMBER);
    for (FormSummary row : rows) {
      List<String> cells = new ArrayList<>();
      if (linked) {
        String name = Html.text(row.scenario());
        cells.add("<a href=\"#" + Html.anchor(row.scenario()) + "\">" + name + "</a>");
      }
      cells.add(Html.text(row.form()));
      cells.add(Html.text(row.way()));
      if (profiles) {
        cells.add(Html.text(row.profile().isEmpty() ? "-" : row.profile()));
      }
      cells.add(row.runs() + (row.runs() < asked ? " of " + asked : ""));
      cells.add(OutcomeMarks.counts(row));
      cells.add(grades(row));
      if (orders) {
        cells.add(Html.text(row.ordersInWords().replaceFirst("^order ", "")));
      }
      cells.add(Labels.millis(row.median(RunRecord::wallMillis)));
      cells.add(Labels.millis(row.median(RunRecord::workMillis)));
      table.row(row.count(Grade.FORBIDDEN) > 0 ? "against" : "", cells);
    }
    return table.html();
  }

  private static String grades(FormSummary row) {
    return row.grades().entrySet().stream()
        .map(each -> grade(each.getKey(), each.getValue()))
        .collect(joining(" "));
  }

  private static String grade(Grade grade, int runs) {
    String text = runs + " " + grade.name().toLowerCase(Locale.ROOT);
    return grade == Grade.FORBIDDEN
        ? "<strong class=\"against\">" + text + "</strong>"
        : "<span class=\"nb\">" + text + "</span>";
  }
}
