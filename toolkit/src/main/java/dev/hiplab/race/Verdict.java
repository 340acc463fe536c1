package dev.hiplab.race;

import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The outcome of a run: what the child reported, unless the way in which it ended says more.
 *
 * @param outcome what happened
 * @param detail one sentence; empty when nothing was wrong
 * @param crash the signal and the frame
 * @param lastPoints of a crash or a hang: the points that each thread passed last, oldest first
 * @param counters what the child counted, and the lines counted on its standard error
 */
record Verdict(
    Outcome outcome,
    String detail,
    Crash crash,
    Map<String, List<String>> lastPoints,
    Map<String, Long> counters) {
  Verdict(Outcome outcome, String detail, Crash crash, Map<String, Long> counters) {
    this(outcome, detail, crash, Map.of(), counters);
  }

  /** Reads one run of the scenario. */
  static Verdict of(Scenario scenario, Exit exit, long deadlineSeconds) {
    Crash crash = Crash.read(exit);
    Map<String, Long> counters = counters(exit);
    if (exit.hung()) {
      Map<String, List<String>> points = CrashLines.read(exit.stderr()).points();
      String detail = hung(exit, deadlineSeconds) + LastPoints.of(points);
      return new Verdict(Outcome.HANG, detail, Crash.NONE, points, counters);
    }
    if (!crash.signal().isEmpty()) {
      CrashLines lines = CrashLines.read(exit.stderr());
      String detail = crashed(exit, crash) + LastPoints.of(lines.thread(), lines.points());
      return new Verdict(Outcome.CRASH, detail, crash, lines.points(), counters);
    }
    if (!exit.finished() || exit.code() != 0) {
      return new Verdict(Outcome.ERROR, unfinished(exit), crash, counters);
    }
    Outcome outcome = Outcome.valueOf(exit.report().get("outcome"));
    String detail = exit.report().getOrDefault("detail", "");
    if (outcome.isRight()) {
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

  /** Which of the three ends did not come: the workload's, the backend's or the process's. */
  private static String hung(Exit exit, long deadlineSeconds) {
    String ended = exit.report().get("outcome");
    // Where it was is told of the workload alone: it may have ended since.
    String where = exit.stuck().isEmpty() || ended != null ? "" : "; " + exit.stuck();
    String phase =
        ended == null
            ? ""
            : exit.finished()
                ? ": the process did not exit after its report of " + ended
                : ": the backend did not close after the workload had ended " + ended;
    return "no end within " + deadlineSeconds + " s" + phase + where;
  }

  private static String crashed(Exit exit, Crash crash) {
    String detail = crash.signal() + (crash.frame().isEmpty() ? "" : " in " + crash.frame());
    detail += crash.reason().isEmpty() ? "" : ": " + crash.reason();
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
