package dev.hiplab.report;

import dev.hiplab.measure.Survey;
import dev.hiplab.measure.Timing;
import java.util.LinkedHashMap;
import java.util.Map;
import org.knowm.xchart.internal.chartpart.Chart;

/** What a survey and a timing look like in a notebook: where, tables, and a plot of the times. */
final class MeasureRendering {
  private MeasureRendering() {}

  static Map<String, Object> of(Survey survey) {
    StringBuilder html = new StringBuilder();
    line(html, Origin.of(survey.place()));
    line(html, survey.summary() + (survey.complete() ? "" : "; interrupted"));
    if (!survey.rows().isEmpty()) {
      html.append(Tables.html(SurveyTable.byShape(survey)));
      html.append(Tables.html(SurveyTable.of(survey)));
    }
    if (survey.rows().stream().anyMatch(row -> row.times().lowerQuartile() > 0)) {
      picture(html, "time of each candidate", SurveyTimePlot.of(survey));
    }
    line(html, "in " + survey.folder());
    String text = survey + "\n" + Tables.text(SurveyTable.of(survey));
    return data(html, survey.rows().isEmpty() ? survey.toString() : text);
  }

  static Map<String, Object> of(Timing timing) {
    StringBuilder html = new StringBuilder();
    line(html, Origin.of(timing.place()));
    if (!timing.complete()) {
      line(html, "interrupted; these were done");
    }
    if (!timing.arms().isEmpty()) {
      html.append(Tables.html(TimingTable.of(timing)));
      picture(html, "device time of each repetition", TimingPlot.of(timing));
    }
    return data(html, timing.toString());
  }

  private static void line(StringBuilder html, String text) {
    html.append("<p>").append(Tables.escapeHtml(text)).append("</p>");
  }

  private static void picture(StringBuilder html, String what, Chart<?, ?> chart) {
    html.append("<img alt=\"").append(what).append("\" src=\"data:image/png;base64,");
    html.append(Plots.base64(chart)).append("\">");
  }

  private static Map<String, Object> data(StringBuilder html, String text) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("text/html", html.toString());
    data.put("text/plain", text);
    return data;
  }
}
