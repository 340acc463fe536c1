package dev.hiplab.report.html;

import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Way;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How to read the words that occur on a page. */
public final class Legend {
  private Legend() {}

  public static String of(List<RunRecord> records) {
    StringBuilder html = new StringBuilder("<dl>\n");
    for (Outcome outcome : Outcome.values()) {
      if (records.stream().anyMatch(run -> run.outcome() == outcome)) {
        html.append("<dt>").append(OutcomeMarks.word(outcome)).append("</dt>");
        html.append(Html.element("dd", words(outcome))).append('\n');
      }
    }
    for (Grade grade : Grade.values()) {
      if (records.stream().anyMatch(run -> run.grade() == grade)) {
        item(html, grade.name().toLowerCase(Locale.ROOT), words(grade));
      }
    }
    for (Way way : Way.values()) {
      if (records.stream().anyMatch(run -> run.way().startsWith(way.text()))) {
        item(html, way.text(), words(way));
      }
    }
    forms(records).forEach((form, says) -> item(html, form, says));
    return html.append(
            "</dl>\n<p>A run is one fresh process of one form in one way. The software"
                + " device models rules; it is no proof about a GPU.</p>\n")
        .toString();
  }

  private static void item(StringBuilder html, String name, String says) {
    html.append(Html.element("dt", name)).append(Html.element("dd", says)).append('\n');
  }

  private static Map<String, String> forms(List<RunRecord> records) {
    Map<String, String> forms = new TreeMap<>();
    for (RunRecord run : records) {
      if (run.form().equals("FILED")) {
        forms.put("FILED", "the code as the issue found it");
      } else if (run.form().equals("FIXED")) {
        forms.put("FIXED", "the code as the fix ships it");
      }
    }
    return forms;
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case EXACT -> "every output equals the host's integer reference, and the counters are right";
      case WITHIN_BOUND ->
          "outputs differ by no more than the bound, on a device that was measured not to add the IEEE way";
      case PASSED -> "a command ended with exit code 0; nothing more is known";
      case WRONG_RESULT -> "at least one output is wrong; what it said names the first";
      case MISROUTED ->
          "outputs right, but something went where it should not: a route, a stream, a handle or"
              + " device that was made, a call that waited";
      case MISUSE ->
          "outputs right, but a call was given memory or a descriptor that it must not use";
      case ERROR -> "an exception ended the workload, or a command ended with another exit code";
      case CRASH -> "the process died of a signal";
      case HANG -> "the deadline passed, or the workload saw a call that waits on";
      case LEAK -> "outputs right, objects left behind, or one made too many";
      case EXCLUDED ->
          "the forced order cannot happen in this form, and the work was right; what it said names"
              + " the lock";
      case NOT_APPLICABLE -> "the device lacks what the finding needs; never a pass";
    };
  }

  private static String words(Grade grade) {
    return switch (grade) {
      case EXPECTED -> "what the source says of this form";
      case INTERESTING -> "neither what the source says nor against it";
      case FORBIDDEN -> "against what the source says of this form";
    };
  }

  private static String words(Way way) {
    return switch (way) {
      case NATURAL -> "nobody was in charge of the threads";
      case DELAYED -> "threads waited a while at a named point, which widens a window";
      case FORCED -> "the order that the source writes down, on two threads A and B";
    };
  }
}
