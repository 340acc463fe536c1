package dev.hiplab.race;

import dev.hiplab.scenario.Outcome;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

  // A workload raises none of these: somebody else ended the process.
  private static final Map<Integer, String> FROM_OUTSIDE =
      Map.of(
          SIGNAL + 1, "SIGHUP",
          SIGNAL + 9, "SIGKILL (the kernel's out-of-memory killer?)",
          SIGNAL + 15, "SIGTERM");

  /**
   * Whether the form had a chance: the child opened its backend, or hung. One that ended before
   * that, even of a signal, never got as far as its workload.
   */
  boolean started() {
    return hung || report.containsKey("environment.provider");
  }

  /**
   * What the machine, and not the form, did to the child, as the end of a sentence that begins with
   * the child; empty when nothing. Such an end is no outcome of a race.
   */
  String machineFault() {
    if (hung) {
      return "";
    }
    if (FROM_OUTSIDE.containsKey(code)) {
      return "was killed from outside by " + FROM_OUTSIDE.get(code);
    }
    if (report.containsKey(ChildReport.MACHINE)) {
      return "was short of what the machine has: " + report.get(ChildReport.MACHINE);
    }
    String folder = codeFault();
    if (!folder.isEmpty()) {
      return "could not load a kernel's code: " + folder;
    }
    if (crashReport.stream().anyMatch(line -> line.contains("There is insufficient memory"))) {
      return "ended because its JVM got no memory from the machine";
    }
    return "";
  }

  /** A temporary folder that is missing, full, or lets no code run: module.cpp says so. */
  private String codeFault() {
    if (!Outcome.ERROR.name().equals(report.get("outcome"))) {
      return "";
    }
    return Stream.concat(Stream.of(report.getOrDefault("detail", "")), stderr.stream())
        .filter(line -> line.contains(": set TMPDIR to "))
        .findFirst()
        .orElse("");
  }

  /** Why the scenario's own wishes could not be met; empty when they were. */
  String refused() {
    return report.getOrDefault(ChildReport.REFUSED, "");
  }

  boolean finished() {
    return report.containsKey("end") && report.containsKey("outcome");
  }

  /** The last line on standard error that a library or the JVM wrote; empty when there is none. */
  String lastWords() {
    for (int i = stderr.size() - 1; i >= 0; i--) {
      if (!stderr.get(i).isBlank() && !CrashLines.isOne(stderr.get(i))) {
        return stderr.get(i).strip();
      }
    }
    return "";
  }
}
