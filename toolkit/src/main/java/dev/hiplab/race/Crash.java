package dev.hiplab.race;

import java.util.List;
import java.util.Map;

/**
 * The signal that ended a process, and where. The JVM's crash report has the first word on both;
 * the child's own lines ({@link CrashLines}) add who of this project called the function at fault,
 * and tell of an abort(), of which the JVM knows nothing. A native stack overflow leaves neither:
 * there is no room for a handler.
 *
 * @param signal such as SIGSEGV; empty when no signal did
 * @param frame {@code library+offset function}, and its caller in this project when it lies
 *     elsewhere; empty when not known
 * @param reason why a process aborted, in its own words; empty when it did not, or not say
 */
record Crash(String signal, String frame, String reason) {
  static final Crash NONE = new Crash("", "", "");

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

  private static final String OWN = "lib(hiplab|jniNative)\\.so\\+.*";

  /**
   * The signal that an exit code tells of: 128 + n, as a shell and Java say it. Empty when it tells
   * of none.
   */
  static String signal(int code) {
    int number = code - 128;
    return number < 1 || number > 31 ? "" : SIGNALS.getOrDefault(number, "signal " + number);
  }

  /** Reads an exit code, the JVM's crash report and the child's own lines. */
  static Crash read(Exit exit) {
    if (exit.code() <= 128) {
      return NONE;
    }
    CrashLines lines = CrashLines.read(exit.stderr());
    if (!exit.crashReport().isEmpty()) {
      // The JVM turns SIGSEGV, SIGBUS, SIGFPE and SIGILL into its report and abort().
      String frame = reportedFrame(exit.crashReport());
      String caller = frame.matches(OWN) ? "" : lines.caller();
      return new Crash(reportedSignal(exit.crashReport()), frame + caller, "");
    }
    int number = exit.code() - 128;
    String signal = SIGNALS.getOrDefault(number, "signal " + number);
    return switch (number) {
      // abort() past the JVM: glibc's heap checks say why on stderr, and so does our terminate.
      case 6 ->
          new Crash(
              signal, lines.fault(), lines.what().isEmpty() ? exit.lastWords() : lines.what());
      // No room left for the JVM's handler to run on.
      case 11 -> new Crash(signal, "", "no crash report: native stack overflow");
      default -> new Crash(signal, "", "");
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
        // In the form of the child's own lines: "libc.so.6+0x1234 strlen".
        String frame = report.get(i + 1).replaceFirst("^#\\s*(\\S)\\s+", "");
        return frame
            .replaceFirst("^\\[(\\S+)\\]", "$1")
            .replaceFirst("(\\s\\S.*)\\+0x[0-9a-f]+\\s*$", "$1")
            .replaceAll("\\s+", " ")
            .strip();
      }
    }
    return "";
  }
}
