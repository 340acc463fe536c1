package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a command's lines as they come: outcomes, counters, last words. Thread-safe. */
final class CommandOutput {
  private static final int LONGEST = 400;
  private static final int SHORT = 40;
  private static final char ESCAPE = '\u001b';
  private static final Pattern COLOURS = Pattern.compile("\\e\\[[0-9;?]*[A-Za-z]");

  /** A line that a pattern of this outcome matched. */
  record Match(Outcome outcome, String line) {}

  private final List<OutcomePattern> outcomes;
  private final List<Pattern> outcomePatterns;
  private final Match[] matches; // the first line of each
  private final List<CounterPattern> counters;
  private final List<Pattern> counterPatterns;
  private final Map<String, Long> counts = new TreeMap<>();
  private String lastWords = "";
  private HiplabException failure;

  CommandOutput(CommandSettings settings) {
    outcomes = settings.outcomes();
    outcomePatterns = outcomes.stream().map(OutcomePattern::pattern).toList();
    matches = new Match[outcomes.size()];
    counters = settings.counters();
    counterPatterns = counters.stream().map(CounterPattern::pattern).toList();
  }

  /** Takes a line; colours are no part of it. Never fails: the command must go on being read. */
  synchronized void take(String raw) {
    String line =
        (raw.indexOf(ESCAPE) < 0 ? raw : COLOURS.matcher(raw).replaceAll("")).stripTrailing();
    if (line.chars().anyMatch(Character::isLetterOrDigit)) {
      lastWords = line;
    }
    if (failure != null || (outcomes.isEmpty() && counters.isEmpty())) {
      return;
    }
    TimedText text = new TimedText(line);
    try {
      match(text);
      count(text);
    } catch (TimedText.Over e) {
      failure =
          new HiplabException(
              e.getMessage()
                  + " on a line of "
                  + line.length()
                  + " characters ("
                  + brief(line, SHORT)
                  + "); write it without a repeated group or several .* in a row");
    } catch (StackOverflowError e) {
      failure =
          new HiplabException(
              "a pattern is too deep for a line of "
                  + line.length()
                  + " characters; write it without a group that repeats, such as (a|b)*");
    }
  }

  private void match(TimedText line) {
    for (int i = 0; i < matches.length; i++) {
      if (matches[i] == null && outcomePatterns.get(i).matcher(line).find()) {
        matches[i] = new Match(outcomes.get(i).outcome(), brief(line.toString(), LONGEST));
      }
    }
  }

  private void count(TimedText line) {
    for (int i = 0; i < counters.size(); i++) {
      CounterPattern counter = counters.get(i);
      for (Matcher found = counterPatterns.get(i).matcher(line); found.find(); ) {
        if (found.group(1) != null) {
          add(counter, found.group(1).strip());
        }
      }
    }
  }

  private void add(CounterPattern counter, String number) {
    try {
      long value = Long.parseLong(number);
      counts.merge(counter.name(), value, counter.sum() ? Math::addExact : (old, last) -> last);
    } catch (NumberFormatException | ArithmeticException notOne) {
      counts.merge(counter.name() + ".unreadable", 1L, Long::sum);
    }
  }

  /** What the lines that match say, in the order of the patterns. */
  synchronized List<Match> matches() {
    List<Match> found = new ArrayList<>();
    for (Match match : matches) {
      Optional.ofNullable(match).ifPresent(found::add);
    }
    return found;
  }

  /** The counters; one whose pattern matched nothing is absent. */
  synchronized Map<String, Long> counters() {
    return new TreeMap<>(counts);
  }

  /** The last line that holds a letter or a digit; empty when there is none. */
  synchronized String lastWords() {
    return brief(lastWords, LONGEST);
  }

  /**
   * Whether all lines could be read.
   *
   * @throws HiplabException when a pattern could not
   */
  synchronized void check() {
    if (failure != null) {
      throw failure;
    }
  }

  private static String brief(String line, int longest) {
    String text = line.strip().replaceAll("\\p{Cntrl}+", " ");
    return text.length() <= longest ? text : text.substring(0, longest) + "...";
  }
}
