package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Outcome;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * An outcome that a line of a command's output tells of.
 *
 * @param outcome of a run that printed such a line
 * @param regex found anywhere in the line, as {@link Pattern} has it
 */
public record OutcomePattern(Outcome outcome, String regex) {
  public OutcomePattern {
    compile("the pattern of outcome " + outcome, regex);
  }

  /**
   * Reads {@code OUTCOME=regex}.
   *
   * @throws HiplabException naming what is wrong with it
   */
  public static OutcomePattern of(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new HiplabException(
          "the outcome '"
              + text
              + "' has no pattern; write OUTCOME=regex, such as"
              + " WRONG_RESULT=assertion .* failed");
    }
    String name = text.substring(0, equals);
    return new OutcomePattern(
        Arrays.stream(Outcome.values())
            .filter(outcome -> outcome.name().equalsIgnoreCase(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new HiplabException(
                        "there is no outcome '"
                            + name
                            + "'; there are "
                            + Arrays.toString(Outcome.values()).replaceAll("[\\[\\]]", ""))),
        text.substring(equals + 1));
  }

  Pattern pattern() {
    return Pattern.compile(regex);
  }

  /** Compiles it, or says which one is wrong and where. */
  static Pattern compile(String what, String regex) {
    if (regex.isEmpty()) {
      throw new HiplabException(
          what + " is empty, and would be found in every line; write a regex");
    }
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      String where = e.getIndex() < 0 ? "" : " at character " + (e.getIndex() + 1);
      throw new HiplabException(
          what
              + ", '"
              + regex
              + "', is no regular expression: "
              + e.getDescription()
              + where
              + "; put \\ before a character that is meant as itself");
    }
  }

  /** As it is read. */
  @Override
  public String toString() {
    return outcome + "=" + regex;
  }
}
