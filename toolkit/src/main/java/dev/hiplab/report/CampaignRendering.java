package dev.hiplab.report;

import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a campaign's result looks like in a notebook. */
final class CampaignRendering {
  private CampaignRendering() {}

  /** Where it ran, a row per form, and what the first run of a form had to say. */
  static Map<String, Object> summary(CampaignResult result) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("text/html", html(result));
    data.put("text/plain", result.toString());
    return data;
  }

  /** The summary with the outcome plot in one output, for a cell's last expression. */
  static Map<String, Object> whole(CampaignResult result) {
    Map<String, Object> data = summary(result);
    if (!result.records().isEmpty()) {
      String png = Plots.base64(OutcomePlot.of(result.records()));
      data.put(
          "text/html",
          data.get("text/html")
              + "<img alt=\"outcome of each run\" src=\"data:image/png;base64,"
              + png
              + "\">");
    }
    return data;
  }

  private static String html(CampaignResult result) {
    List<RunRecord> records = result.records();
    if (records.isEmpty()) {
      return "<p>No run was done of " + result.planned() + ".</p>";
    }
    StringBuilder html = new StringBuilder();
    html.append("<p>").append(Tables.escapeHtml(Origin.of(records))).append("</p>");
    html.append(Tables.html(SummaryTable.brief(records)));
    for (FormSummary group : FormSummary.of(records)) {
      group.records().stream()
          .filter(run -> !run.detail().isEmpty())
          .findFirst()
          .ifPresent(run -> html.append(said(group, run)));
    }
    if (!result.complete()) {
      html.append("<p>").append(records.size()).append(" of ").append(result.planned());
      html.append(" runs were done.</p>");
    }
    return html.toString();
  }

  private static String said(FormSummary group, RunRecord run) {
    String place = group.profile().isEmpty() ? "" : " on " + group.profile();
    return "<p>"
        + Tables.escapeHtml(group.scenario() + " " + group.form() + place)
        + ", run "
        + run.run()
        + " ("
        + run.outcome()
        + "): "
        + Tables.escapeHtml(run.detail())
        + "</p>";
  }
}
