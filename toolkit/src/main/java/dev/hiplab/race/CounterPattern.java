package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number in a command's output that becomes a counter of the run.
 *
 * @param name of the counter
 * @param regex with one group, an integer
 * @param sum whether the numbers of all places add up; else the last one counts
 */
public record CounterPattern(String name, String regex, boolean sum) {
  private static final Pattern TEXT = Pattern.compile("([A-Za-z0-9_.-]+?)(\\+?)=(.*)");

  public CounterPattern {
    String what = "the pattern of counter " + name;
    int groups = OutcomePattern.compile(what, regex).matcher("").groupCount();
    if (groups != 1) {
      throw new HiplabException(
          what
              + ", '"
              + regex
              + "', has "
              + groups
              + " groups; it needs one, around the number, such as (\\d+); (?:...) is no group");
    }
  }

  /**
   * Reads {@code name=regex}, the last number, or {@code name+=regex}, their sum.
   *
   * @throws HiplabException naming what is wrong with it
   */
  public static CounterPattern of(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new HiplabException(
          "the counter '"
              + text
              + "' is neither name=regex (the last number) nor name+=regex (their sum), the name of"
              + " letters, digits, '.', '_' and '-'");
    }
    return new CounterPattern(matcher.group(1), matcher.group(3), !matcher.group(2).isEmpty());
  }

  Pattern pattern() {
    return Pattern.compile(regex);
  }

  /** As it is read. */
  @Override
  public String toString() {
    return name + (sum ? "+=" : "=") + regex;
  }
}
