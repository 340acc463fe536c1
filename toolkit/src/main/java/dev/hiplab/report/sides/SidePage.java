package dev.hiplab.report.sides;

import static dev.hiplab.report.html.HtmlTable.Kind.LONG;
import static dev.hiplab.report.html.HtmlTable.Kind.NUMBER;
import static dev.hiplab.report.html.HtmlTable.Kind.TEXT;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.Labels;
import dev.hiplab.report.Origin;
import dev.hiplab.report.html.CampaignPage;
import dev.hiplab.report.html.Figure;
import dev.hiplab.report.html.Html;
import dev.hiplab.report.html.HtmlTable;
import dev.hiplab.report.html.Legend;
import dev.hiplab.report.html.OutcomeMarks;
import dev.hiplab.report.html.Page;
import dev.hiplab.report.html.ScenarioIntro;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sides as one page: what each is, where they differ, and each scenario beside itself. */
final class SidePage {
  private final Sides sides;

  private SidePage(Sides sides) {
    this.sides = sides;
  }

  /** The text of an HTML file that needs no other. */
  static String of(Sides sides) {
    return new SidePage(sides).html();
  }

  private String html() {
    Page page = new Page(String.join(" beside ", sides.names()));
    page.add(each());
    page.heading("", "What came of it").add(CampaignPage.conclusion(SideFacts.conclusion(sides)));
    page.add("<ul>\n");
    SideFacts.cautions(sides).forEach(says -> page.add(Html.element("li", says)));
    page.add("</ul>\n");
    page.heading("", "What else differs").add(differences());
    sides.scenarios().forEach(id -> section(page, id));
    page.heading("", "How to read the words").add(Legend.of(sides.records()));
    return page.html();
  }

  private String each() {
    HtmlTable table = new HtmlTable("the sides");
    table.column("side", TEXT).column("where it ran", TEXT).column("runs", NUMBER);
    table.column("repeated by", LONG);
    for (CampaignRuns side : sides.runs()) {
      boolean known = !side.commands().isEmpty();
      String command = known ? String.join("\n", side.commands()) : side.records().get(0).command();
      table.row(
          List.of(
              Html.text(side.name()),
              Html.text(Origin.of(side.records())),
              Integer.toString(side.records().size()),
              Html.code(command)));
    }
    return table.html();
  }

  private String differences() {
    Map<String, List<String>> different = SideFacts.different(sides);
    if (different.isEmpty()) {
      return "<p>Nothing that the records tell.</p>\n";
    }
    HtmlTable table = new HtmlTable("of what the records tell, that which is not the same");
    table.column("what", TEXT);
    sides.names().forEach(name -> table.column(name, LONG));
    different.forEach(
        (key, values) -> {
          List<String> cells = new ArrayList<>(List.of(Html.text(key)));
          values.forEach(value -> cells.add(Html.text(value)));
          table.row(cells);
        });
    return table.html();
  }

  private void section(Page page, String id) {
    String title = ScenarioIntro.known(id).map(Scenario::title).map(says -> ": " + says).orElse("");
    page.heading(Html.anchor(id), id + title);
    ScenarioIntro.known(id)
        .ifPresent(scenario -> page.add(Html.element("blockquote", scenario.claim())));
    List<SideRow> rows = sides.rows(id);
    page.add(table(rows));
    int scale = Figure.scale(sides.scenarios().size());
    StringBuilder words = new StringBuilder();
    rows.forEach(
        row ->
            words
                .append(' ')
                .append(row.label())
                .append(": ")
                .append(row.inWords(sides.names()))
                .append('.'));
    page.add(Figure.of(SidePlots.outcomes(sides, id), "Outcome of each run." + words, scale));
    page.add(
        Figure.of(
            SidePlots.times(sides, id),
            "Time of each run; the medians are in the table above.",
            scale));
  }

  private String table(List<SideRow> rows) {
    HtmlTable table = new HtmlTable("sides beside each other; times are medians in milliseconds");
    table.column("form", TEXT).column("way", TEXT);
    boolean profiles = rows.stream().anyMatch(row -> !row.profile().isEmpty());
    if (profiles) {
      table.column("profile", TEXT);
    }
    sides.names().forEach(name -> table.column(name, TEXT));
    table.column("kinds", TEXT).column("p", NUMBER);
    table.column("process ms", NUMBER).column("ratio", NUMBER);
    table.column("workload ms", NUMBER).column("ratio", NUMBER);
    for (SideRow row : rows) {
      List<String> cells = new ArrayList<>();
      cells.add(Html.text(row.form()));
      cells.add(Html.text(row.way()));
      if (profiles) {
        cells.add(Html.text(row.profile()));
      }
      row.sides().forEach(side -> cells.add(outcomes(side)));
      cells.add(row.differs() ? "<strong>differ</strong>" : "same");
      cells.add(Html.text(SideNumbers.p(row)));
      cells.add(SideNumbers.medians(row, RunRecord::wallMillis));
      cells.add(SideNumbers.ratios(row, RunRecord::wallMillis));
      cells.add(SideNumbers.medians(row, RunRecord::workMillis));
      cells.add(SideNumbers.ratios(row, RunRecord::workMillis));
      table.row(row.differs() ? "against" : "", cells);
    }
    return table.html();
  }

  private static String outcomes(FormSummary side) {
    if (side == null) {
      return "<em>no such run</em>";
    }
    int forbidden = side.count(Grade.FORBIDDEN);
    return OutcomeMarks.counts(side)
        + " <span class=\"pale\">of "
        + Labels.runs(side.runs())
        + "</span>"
        + (forbidden > 0 ? " <strong class=\"against\">" + forbidden + " forbidden</strong>" : "");
  }
}
