package dev.hiplab.report.html;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.Labels;
import dev.hiplab.report.Origin;
import dev.hiplab.report.OutcomePlot;
import dev.hiplab.report.RunTimePlot;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Scenario;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A campaign as one page: what ran where, what came of it, and every run. */
public final class CampaignPage {
  /** Up to so many runs are all open when the page is. */
  private static final int FEW = 60;

  private final CampaignRuns runs;
  private final List<FormSummary> rows;

  private CampaignPage(CampaignRuns runs) {
    this.runs = runs;
    this.rows = FormSummary.of(runs.records());
  }

  /** The text of an HTML file that needs no other. */
  public static String of(CampaignRuns runs) {
    return new CampaignPage(runs).html();
  }

  private String html() {
    List<String> scenarios = runs.scenarios();
    Page page = new Page(title(scenarios));
    page.add("<p>" + Html.text(Origin.of(runs.records())) + "</p>\n");
    page.add(Where.of(runs.records())).add(Made.of(runs));
    page.heading("", "What came of it").add(conclusion(runs.conclusion())).add(against());
    if (scenarios.size() > 1) {
      page.add(SummaryRows.of(rows, runs.asked(), true));
    }
    Map<String, String> sources = new TreeMap<>(runs.sources());
    for (String id : scenarios) {
      section(page, id, sources, scenarios.size() == 1);
    }
    if (!sources.isEmpty()) {
      page.heading("", "Sources of scenarios");
      sources.forEach((file, text) -> page.add(Html.details(file, Html.element("pre", text))));
    }
    page.heading("", "How to read the words").add(Legend.of(runs.records()));
    return page.html();
  }

  private String title(List<String> scenarios) {
    if (scenarios.size() > 1) {
      return "hiplab: " + scenarios.size() + " scenarios, " + Labels.runs(runs.records().size());
    }
    String id = scenarios.get(0);
    return ScenarioIntro.known(id).map(Scenario::title).map(says -> id + ": " + says).orElse(id);
  }

  /** Sentences, marked as what a page comes to. */
  public static String conclusion(List<String> sentences) {
    StringBuilder html = new StringBuilder("<div class=\"conclusion\">");
    sentences.forEach(sentence -> html.append(Html.element("p", sentence)));
    return html.append("</div>\n").toString();
  }

  /** What the sources say cannot happen, before anything else. */
  private String against() {
    StringBuilder html = new StringBuilder();
    for (FormSummary row : rows) {
      row.records().stream()
          .filter(run -> run.grade() == Grade.FORBIDDEN)
          .findFirst()
          .ifPresent(
              run ->
                  html.append("<p><strong>")
                      .append(Html.text(row.scenario() + " " + Labels.of(row, List.of(row))))
                      .append(": ")
                      .append(row.count(Grade.FORBIDDEN))
                      .append(" of ")
                      .append(Labels.runs(row.runs()))
                      .append(" against the source.</strong> ")
                      .append(Html.text(run.outcome() + ": " + run.detail()))
                      .append("</p>\n"));
    }
    return html.length() == 0 ? "" : "<div class=\"alarm\">" + html + "</div>\n";
  }

  /** Takes out of {@code sources} those that it shows. */
  private void section(Page page, String id, Map<String, String> sources, boolean only) {
    List<FormSummary> its = rows.stream().filter(row -> row.scenario().equals(id)).toList();
    List<RunRecord> records =
        runs.records().stream().filter(run -> run.scenario().equals(id)).toList();
    String says =
        only ? "" : ScenarioIntro.known(id).map(Scenario::title).map(t -> ": " + t).orElse("");
    page.heading(Html.anchor(id), only ? "What was run" : id + says);
    Map<String, String> own = new TreeMap<>(sources);
    own.values().removeIf(text -> !text.contains('"' + id + '"'));
    sources.keySet().removeAll(own.keySet());
    page.add(ScenarioIntro.of(id, records, own));
    page.add(SummaryRows.of(its, runs.asked(), false));
    int scale = Figure.scale(runs.scenarios().size());
    StringBuilder words = new StringBuilder();
    its.forEach(row -> words.append("; ").append(row));
    page.add(
        Figure.of(OutcomePlot.of(records), "Outcome of each run. " + words.substring(2), scale));
    page.add(
        Figure.of(
            RunTimePlot.of(records),
            "Time of each run; the medians are in the table above.",
            scale));
    page.add(MoreFigures.of(runs, id, scale));
    page.add("<h3>Runs</h3>\n");
    for (FormSummary row : its) {
      boolean open = runs.records().size() <= FEW || row.count(Grade.FORBIDDEN) > 0;
      page.add(RunRows.of(row, Labels.of(row, its), open));
    }
    page.add(CounterRows.of(its));
  }
}
