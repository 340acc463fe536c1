package dev.hiplab.race;

import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The outcome of a run: what the child reported, unless the way in which it ended says more.
 *
 * @param outcome what happened
 * @param detail one sentence; empty when nothing was wrong
 * @param crash the signal and the frame
 * @param counters what the child counted, and the lines counted on its standard error
 */
record Verdict(Outcome outcome, String detail, Crash crash, Map<String, Long> counters) {
  /** Reads one run of the scenario. */
  static Verdict of(Scenario scenario, Exit exit, long deadlineSeconds) {
    Crash crash = Crash.read(exit);
    Map<String, Long> counters = counters(exit);
    if (exit.hung()) {
      String where = exit.stuck().isEmpty() ? "" : "; " + exit.stuck();
      String detail = "no end within " + deadlineSeconds + " s" + where;
      return new Verdict(Outcome.HANG, detail, new Crash("", ""), counters);
    }
    if (!crash.signal().isEmpty()) {
      return new Verdict(Outcome.CRASH, crashed(exit, crash), crash, counters);
    }
    if (!exit.finished() || exit.code() != 0) {
      return new Verdict(Outcome.ERROR, unfinished(exit), crash, counters);
    }
    Outcome outcome = Outcome.valueOf(exit.report().get("outcome"));
    String detail = exit.report().getOrDefault("detail", "");
    if (outcome == Outcome.EXACT || outcome == Outcome.WITHIN_BOUND) {
      String lines = wrongLines(scenario, exit);
      if (!lines.isEmpty()) {
        return new Verdict(Outcome.MISROUTED, lines, crash, counters);
      }
    }
    return new Verdict(outcome, detail, crash, counters);
  }

  private static Map<String, Long> counters(Exit exit) {
    Map<String, Long> counters = new TreeMap<>();
    ChildReport.under("counter.", exit.report())
        .forEach((name, value) -> counters.put(name, Long.parseLong(value)));
    exit.counts().forEach((text, count) -> counters.put("stderr." + text, (long) count));
    return new LinkedHashMap<>(counters);
  }

  private static String crashed(Exit exit, Crash crash) {
    String detail = crash.signal() + (crash.frame().isEmpty() ? "" : " in " + crash.frame());
    if (crash.signal().equals("SIGABRT") && exit.crashReport().isEmpty()) {
      detail = crash.signal() + (crash.frame().isEmpty() ? "" : ": " + crash.frame());
    }
    String measured = exit.report().get("outcome");
    return measured == null ? detail : detail + ", after the workload had ended " + measured;
  }

  private static String unfinished(Exit exit) {
    String said = exit.report().get("outcome");
    String when = said == null ? "before it reported" : "after it reported " + said;
    String words = exit.lastWords();
    return "the process ended with exit code "
        + exit.code()
        + " "
        + when
        + (words.isEmpty() ? "" : "; its last line on stderr: " + words);
  }

  private static String wrongLines(Scenario scenario, Exit exit) {
    for (Map.Entry<String, Integer> line : scenario.stderrLines().entrySet()) {
      int seen = exit.counts().getOrDefault(line.getKey(), 0);
      if (seen != line.getValue()) {
        return "\""
            + line.getKey()
            + "\" stood on stderr "
            + seen
            + " times, should be "
            + line.getValue();
      }
    }
    return "";
  }
}
