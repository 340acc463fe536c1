package dev.hiplab.report.html;

import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.Labels;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;

/** How runs were made, and when. */
final class Made {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Made() {}

  static String of(CampaignRuns runs) {
    StringBuilder html = new StringBuilder();
    if (runs.commands().isEmpty()) {
      html.append("<p>The first run was made by</p>\n");
      html.append(Html.element("pre", runs.records().get(0).command()));
    } else {
      html.append("<p>The runs are repeated by</p>\n");
      html.append(Html.element("pre", String.join("\n", runs.commands())));
    }
    List<String> campaigns = runs.records().stream().map(RunRecord::campaign).distinct().toList();
    html.append("\n<p>").append(Labels.runs(runs.records().size())).append(when(runs.records()));
    html.append(campaigns.size() == 1 ? "; campaign " : "; campaigns ");
    return html.append(Html.text(String.join(", ", campaigns))).append(".</p>\n").toString();
  }

  private static String when(List<RunRecord> records) {
    List<String> starts = records.stream().map(RunRecord::startedAt).sorted().toList();
    try {
      Instant first = Instant.parse(starts.get(0));
      Instant last = Instant.parse(starts.get(starts.size() - 1));
      return ", started from "
          + TIME.format(first)
          + " to "
          + TIME.format(last)
          + " UTC ("
          + span(Duration.between(first, last))
          + ")";
    } catch (DateTimeParseException notOurs) {
      return ", started at " + Html.text(starts.get(0));
    }
  }

  private static String span(Duration time) {
    long seconds = time.toSeconds();
    return seconds < 120
        ? seconds + " s"
        : seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
  }
}
