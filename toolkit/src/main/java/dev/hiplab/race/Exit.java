package dev.hiplab.race;

import java.util.List;
import java.util.Map;

/**
 * How a child process ended, as its parent saw it.
 *
 * @param code exit code; 128 + n when signal n ended it; -1 when the deadline did
 * @param hung whether the deadline passed
 * @param wallMillis spawn to exit
 * @param report what it reported, key to value
 * @param stderr its last lines on standard error
 * @param counts lines of standard error that held the texts asked for
 * @param crashReport the JVM's own report of a crash; empty when it wrote none
 * @param stuck where its threads were when the deadline passed; empty when not known
 */
record Exit(
    int code,
    boolean hung,
    double wallMillis,
    Map<String, String> report,
    List<String> stderr,
    Map<String, Integer> counts,
    List<String> crashReport,
    String stuck) {
  private static final int SIGNAL = 128;

  /**
   * Whether the form had a chance: the child opened its backend, hung, or died of a signal. One
   * that ended before that never got as far as its workload.
   */
  boolean started() {
    return hung || code > SIGNAL || report.containsKey("environment.provider");
  }

  boolean finished() {
    return report.containsKey("end") && report.containsKey("outcome");
  }

  /** The last line on standard error that says something; empty when there is none. */
  String lastWords() {
    for (int i = stderr.size() - 1; i >= 0; i--) {
      if (!stderr.get(i).isBlank()) {
        return stderr.get(i).strip();
      }
    }
    return "";
  }
}
