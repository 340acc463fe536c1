package dev.hiplab.report.html;

import static java.util.stream.Collectors.joining;

import dev.hiplab.race.FormSummary;
import dev.hiplab.report.OutcomeStyle;
import dev.hiplab.scenario.Outcome;
import java.util.Map;

/** Outcomes in the letters and colours of the plots. */
public final class OutcomeMarks {
  private OutcomeMarks() {}

  /** The letter on its colour, and the word. */
  public static String word(Outcome outcome) {
    return "<span class=\"nb\">" + letter(outcome) + outcome + "</span>";
  }

  /** The outcomes of a row with their counts, most frequent first. */
  public static String counts(FormSummary row) {
    return row.outcomes().entrySet().stream()
        .sorted(Map.Entry.<Outcome, Integer>comparingByValue().reversed())
        .map(
            each ->
                "<span class=\"nb\">"
                    + letter(each.getKey())
                    + each.getValue()
                    + " "
                    + each.getKey()
                    + "</span>")
        .collect(joining(" "));
  }

  /** The letter is for the eye: the word beside it says the same. */
  private static String letter(Outcome outcome) {
    OutcomeStyle style = OutcomeStyle.of(outcome);
    return "<span class=\"o\" aria-hidden=\"true\" style=\"background:"
        + style.cssColor()
        + ";color:"
        + style.cssInk()
        + "\">"
        + style.letter()
        + "</span>";
  }
}
