package dev.hiplab.race;

import java.util.List;
import java.util.Map;

/**
 * The signal that ended a process, and where.
 *
 * @param signal such as SIGSEGV; empty when no signal did
 * @param frame {@code [library+offset] function}, or the last words of a process that aborted
 */
record Crash(String signal, String frame) {
  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "SIGHUP",
          2, "SIGINT",
          3, "SIGQUIT",
          4, "SIGILL",
          6, "SIGABRT",
          7, "SIGBUS",
          8, "SIGFPE",
          9, "SIGKILL",
          11, "SIGSEGV",
          15, "SIGTERM");

  /** Reads an exit code and the JVM's crash report. */
  static Crash read(Exit exit) {
    if (exit.code() <= 128) {
      return new Crash("", "");
    }
    if (!exit.crashReport().isEmpty()) {
      // The JVM turns SIGSEGV, SIGBUS, SIGFPE and SIGILL into its report and abort().
      return new Crash(reportedSignal(exit.crashReport()), reportedFrame(exit.crashReport()));
    }
    int number = exit.code() - 128;
    String signal = SIGNALS.getOrDefault(number, "signal " + number);
    return switch (number) {
      // abort() past the JVM: glibc's heap checks and std::terminate say why on stderr.
      case 6 -> new Crash(signal, exit.lastWords());
      // No room left for the JVM's handler to run on.
      case 11 -> new Crash(signal, "no crash report: native stack overflow");
      default -> new Crash(signal, "");
    };
  }

  private static String reportedSignal(List<String> report) {
    for (String line : report) {
      String text = line.replaceFirst("^#\\s*", "");
      if (text.matches("SIG[A-Z]+ \\(0x[0-9a-f]+\\).*")) {
        return text.substring(0, text.indexOf(' '));
      }
      if (text.startsWith("Internal Error")) {
        return "SIGABRT";
      }
    }
    return "SIGABRT";
  }

  private static String reportedFrame(List<String> report) {
    for (int i = 0; i + 1 < report.size(); i++) {
      if (report.get(i).startsWith("# Problematic frame:")) {
        // "# C  [libc.so.6+0x1234]  strlen+0x10": the letter is the kind of frame.
        String frame = report.get(i + 1).replaceFirst("^#\\s*(\\S)\\s+", "");
        return frame.replaceAll("\\s+", " ").strip();
      }
    }
    return "";
  }
}
