package dev.hiplab.report.html;

import static dev.hiplab.report.html.HtmlTable.Kind.LONG;
import static dev.hiplab.report.html.HtmlTable.Kind.NUMBER;
import static dev.hiplab.report.html.HtmlTable.Kind.TEXT;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.Labels;
import dev.hiplab.scenario.Grade;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Every run of a form and way: what it ended with, what it said, how to get it again. */
final class RunRows {
  private static final String NATURAL = "natural";

  private RunRows() {}

  /**
   * The runs of one row of the summary.
   *
   * @param label tells the row from the others
   * @param open whether the reader sees them at once
   */
  static String of(FormSummary row, String label, boolean open) {
    String title = label + ": " + Labels.runs(row.runs()) + ", " + row.outcomesInWords();
    String mark = open ? "<details open=\"open\">" : "<details>";
    return mark
        + "<summary>"
        + Html.text(title)
        + "</summary>\n"
        + schedule(row)
        + table(row, label)
        + "</details>\n";
  }

  private static String table(FormSummary row, String label) {
    boolean orders = orders(row).size() > 1;
    HtmlTable table = new HtmlTable("runs of " + label + "; times in milliseconds");
    table.column("run", NUMBER).column("outcome", TEXT).column("grade", TEXT);
    table.column("what it said", LONG).column("process ms", NUMBER);
    table.column("workload ms", NUMBER).column("exit", TEXT).column("seed", NUMBER);
    for (RunRecord run : row.records()) {
      boolean against = run.grade() == Grade.FORBIDDEN;
      String grade = run.grade().name().toLowerCase(Locale.ROOT);
      table.row(
          against ? "against" : "",
          List.of(
              Integer.toString(run.run()),
              OutcomeMarks.word(run.outcome()),
              against ? "<strong class=\"against\">forbidden</strong>" : grade,
              said(run, orders),
              Labels.millis(run.wallMillis()),
              Labels.millis(run.workMillis()),
              run.exitCode() + (run.signal().isEmpty() ? "" : " " + Html.text(run.signal())),
              Long.toString(run.seed())));
    }
    return table.html();
  }

  private static String said(RunRecord run, boolean orders) {
    StringBuilder html = new StringBuilder(Html.text(run.detail()));
    if (!run.frame().isEmpty() && !run.detail().contains(run.frame())) {
      html.append("<br/>frame ").append(Html.code(run.frame()));
    }
    if (orders) {
      run.orders().forEach(order -> html.append("<br/>").append(Html.code(order)));
    }
    if (!run.lastPoints().isEmpty()) {
      html.append(Html.details("last points of each thread", points(run.lastPoints())));
    }
    return html.toString();
  }

  private static String points(Map<String, List<String>> points) {
    StringBuilder html = new StringBuilder("<dl>");
    new TreeMap<>(points)
        .forEach(
            (thread, names) ->
                html.append(Html.element("dt", thread))
                    .append("<dd>")
                    .append(Html.code(String.join(", ", names)))
                    .append("</dd>"));
    return html.append("</dl>").toString();
  }

  /** The schedule once, as all runs of a row have the same, and what became of its orders. */
  private static String schedule(FormSummary row) {
    String text = row.records().get(0).schedule();
    if (text.isBlank() || text.equals(NATURAL)) {
      return "";
    }
    StringBuilder html = new StringBuilder("<p class=\"pale\">schedule</p>\n");
    html.append(Html.element("pre", text)).append('\n');
    Map<List<String>, Integer> orders = orders(row);
    if (orders.size() == 1 && !orders.containsKey(List.of())) {
      html.append("<p class=\"pale\">what became of its orders, in each run that told</p>\n");
      html.append(Html.element("pre", String.join("\n", orders.keySet().iterator().next())));
      html.append('\n');
    }
    return html.toString();
  }

  /** What became of the orders, to the number of runs that say so; one that died tells nothing. */
  private static Map<List<String>, Integer> orders(FormSummary row) {
    Map<List<String>, Integer> orders = new LinkedHashMap<>();
    for (RunRecord run : row.records()) {
      if (!run.orders().isEmpty()) {
        orders.merge(new ArrayList<>(run.orders()), 1, Integer::sum);
      }
    }
    return orders;
  }
}
