package dev.hiplab.race;

import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.List;
import java.util.Map;

/**
 * One run, as it stands on one line of a campaign's JSON Lines file.
 *
 * @param campaign identifies the campaign: a time stamp and a random suffix
 * @param scenario id such as {@code rocblas.first-gemm}
 * @param form FILED, FIXED or a named alternative
 * @param way how the interleaving came about: {@code natural}, {@code delayed} or {@code forced},
 *     with a name after a colon where a scenario has several
 * @param run index of the run within its form, from 0
 * @param seed seed of the workload's inputs
 * @param outcome what happened
 * @param grade how to read it
 * @param detail one sentence: what was wrong, where first; empty when nothing was
 * @param wallMillis spawn to exit, measured by the parent
 * @param workMillis the workload alone, measured in the child; NaN when the child did not say
 * @param exitCode exit code of the process; -1 when it was killed at the deadline
 * @param signal name such as SIGSEGV, or empty
 * @param frame frame at fault of a crash ({@code library+offset function}) and its caller in this
 *     project, or empty
 * @param lastPoints of a crash or a hang: the points that each thread passed last, oldest first
 * @param counters what the child counted: routes, handles, wrong outputs, live objects
 * @param environment driver, reason, device, profile, versions (hiplab, libraries, Java)
 * @param schedule text of the schedule; {@code natural} when none was in charge
 * @param orders what became of each order of the schedule; empty when there is none
 * @param command the command line that repeats this run
 * @param startedAt ISO-8601 instant
 */
public record RunRecord(
    String campaign,
    String scenario,
    String form,
    String way,
    int run,
    long seed,
    Outcome outcome,
    Grade grade,
    String detail,
    double wallMillis,
    double workMillis,
    int exitCode,
    String signal,
    String frame,
    Map<String, List<String>> lastPoints,
    Map<String, Long> counters,
    Map<String, String> environment,
    String schedule,
    List<String> orders,
    String command,
    String startedAt) {
  public RunRecord {
    lastPoints = Map.copyOf(lastPoints);
    counters = Map.copyOf(counters);
    environment = Map.copyOf(environment);
    orders = List.copyOf(orders);
  }

  /** The software device's profile; empty on real hardware. */
  public String profile() {
    return environment.getOrDefault("profile", "");
  }

  /** The same run with another label of its way. */
  public RunRecord withWay(String other) {
    return with(other, detail, environment, command, startedAt);
  }

  /** The same run with another sentence. */
  public RunRecord withDetail(String other) {
    return with(way, other, environment, command, startedAt);
  }

  /** The same run in another environment. */
  public RunRecord withEnvironment(Map<String, String> other) {
    return with(way, detail, other, command, startedAt);
  }

  /** The same run, made by another command. */
  public RunRecord withCommand(String other) {
    return with(way, detail, environment, other, startedAt);
  }

  /** The same run at another time; summaries order runs by it. */
  public RunRecord withStartedAt(String other) {
    return with(way, detail, environment, command, other);
  }

  private RunRecord with(
      String itsWay,
      String itsDetail,
      Map<String, String> itsEnvironment,
      String itsCommand,
      String itsStart) {
    return new RunRecord(
        campaign,
        scenario,
        form,
        itsWay,
        run,
        seed,
        outcome,
        grade,
        itsDetail,
        wallMillis,
        workMillis,
        exitCode,
        signal,
        frame,
        lastPoints,
        counters,
        itsEnvironment,
        schedule,
        orders,
        itsCommand,
        itsStart);
  }
}
