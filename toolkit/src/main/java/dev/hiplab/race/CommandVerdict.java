package dev.hiplab.race;

import dev.hiplab.scenario.Outcome;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The outcome of a command: the deadline first, then the patterns in the order in which they were
 * given, then the exit code. Patterns that tell of success count only with exit code 0: a command
 * that failed has not passed, whatever it printed before.
 *
 * @param outcome what happened
 * @param detail the line that says so, or the exit code
 * @param signal of a crash; empty when there was none
 */
record CommandVerdict(Outcome outcome, String detail, String signal) {
  // "(signal: 11, SIGSEGV: invalid memory reference)" is what Rust's test runners print.
  private static final Pattern SIGNAL = Pattern.compile("\\bSIG[A-Z]{2,6}\\b|\\bsignal:? (\\d+)");

  private static final String KILLED = "SIGKILL";

  static CommandVerdict of(CommandExit exit, List<CommandOutput.Match> matches, String lastWords) {
    String said = lastWords.isEmpty() ? "" : "; its last line: " + lastWords;
    if (exit.hung()) {
      String end = "no end within " + exit.deadlineSeconds() + " s";
      return new CommandVerdict(Outcome.HANG, end + said, "");
    }
    for (CommandOutput.Match match : matches) {
      if (exit.code() == 0 || !Outcome.PASSES.contains(match.outcome())) {
        String signal = match.outcome() == Outcome.CRASH ? signal(match.line(), exit) : "";
        return new CommandVerdict(match.outcome(), match.line(), signal);
      }
    }
    if (exit.code() == 0) {
      return new CommandVerdict(Outcome.PASSED, "", "");
    }
    String signal = Crash.signal(exit.code());
    if (!signal.isEmpty()) {
      String why = signal.equals(KILLED) ? " (the kernel's out-of-memory killer?)" : "";
      return new CommandVerdict(Outcome.CRASH, signal + why + said, signal);
    }
    String words = lastWords.isEmpty() ? " without a word" : said;
    return new CommandVerdict(Outcome.ERROR, "exit code " + exit.code() + words, "");
  }

  private static String signal(String line, CommandExit exit) {
    Matcher named = SIGNAL.matcher(line);
    if (!named.find()) {
      return Crash.signal(exit.code());
    }
    try {
      return named.group(1) == null
          ? named.group()
          : Crash.signal(128 + Integer.parseInt(named.group(1)));
    } catch (NumberFormatException notOne) {
      return "";
    }
  }
}
