package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A main class in a JVM of its own that loads what may end a process, or hang: what it said through
 * its {@link ProbeChild}, and how it ended. The JVM has this one's class path and its properties of
 * hiplab, and does not outlive it.
 */
public final class ChildProbe {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long POLL_MILLIS = 50;
  private static final long WAITING_MILLIS = 5000;

  private ChildProbe() {}

  /**
   * How it ended.
   *
   * @param lines what it said, all of it
   * @param trouble empty when it said all, or ended by itself with exit code 0; else what ended it,
   *     and where
   * @param hung whether it was silent for too long
   */
  public record End(List<String> lines, String trouble, boolean hung) {
    public End {
      lines = List.copyOf(lines);
    }
  }

  /** Is told of a child that says nothing for a while, every few seconds. */
  public interface Waiting {
    /** {@code last}: the line that it said last, or empty text. */
    void silent(String last, long seconds);
  }

  /**
   * Runs it until it has said all, until it ends, or until it has been silent for too long, after
   * which it is killed.
   *
   * @param arguments of its main, behind the token for {@link ProbeChild}
   * @param silence how long it may say nothing
   * @throws HiplabException when no process can be started
   * @throws InterruptedException when this thread was interrupted; the process is gone then
   */
  public static End run(Class<?> main, List<String> arguments, Duration silence, Waiting waiting)
      throws InterruptedException {
    // A name only: nothing is left behind unless the process crashes.
    String token = Long.toHexString(RANDOM.nextLong());
    Path crash = crashFile("hiplab-hs_err-" + token + ".log");
    List<String> all = new ArrayList<>(arguments);
    all.add(0, token);
    try {
      ProcessBuilder builder = new ProcessBuilder(command(main, all, crash));
      builder.environment().keySet().removeAll(Child.FOREIGN);
      return watch(Starting.start(builder), new ProbeReport(token), crash, silence, waiting);
    } catch (IOException e) {
      throw new HiplabException("no process could be started: " + e.getMessage(), e);
    } finally {
      delete(crash);
    }
  }

  private static Path crashFile(String name) {
    try {
      return Path.of(System.getProperty("java.io.tmpdir"), name).toAbsolutePath();
    } catch (InvalidPathException otherCharacters) {
      return Path.of("/tmp", name);
    }
  }

  private static List<String> command(Class<?> main, List<String> arguments, Path crash) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.addAll(List.of("-XX:ErrorFile=" + crash, "-XX:ErrorLogTimeout=10"));
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    for (Map.Entry<Object, Object> each : System.getProperties().entrySet()) {
      if (each.getKey().toString().startsWith("hiplab.")) {
        command.add("-D" + each.getKey() + "=" + each.getValue());
      }
    }
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.add(main.getName());
    command.addAll(arguments);
    return command;
  }

  private static End watch(
      Process process, ProbeReport report, Path crash, Duration silence, Waiting waiting)
      throws IOException, InterruptedException {
    Thread hook = new Thread(() -> kill(process), "hiplab-end-probe");
    try {
      Starting.hook(hook);
      LineDrain out = new LineDrain("probe-out", process.getInputStream(), report::read);
      LineDrain err = new LineDrain("probe-err", process.getErrorStream(), line -> {});
      boolean hung = !await(process, report, silence.toMillis(), waiting);
      // What it said before it was killed counts, an end that it came to meanwhile included.
      kill(process);
      int code = process.waitFor();
      out.finish();
      err.finish();
      Exit exit =
          new Exit(hung ? -1 : code, hung, 0, Map.of(), err.lines(), Map.of(), report(crash), "");
      return new End(report.lines(), report.ended() ? "" : trouble(exit, silence), hung);
    } finally {
      kill(process);
      process.getOutputStream().close();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        // The hook is running, which is what it is for.
      }
    }
  }

  /** False when it was silent for too long. */
  private static boolean await(
      Process process, ProbeReport report, long silenceMillis, Waiting waiting)
      throws InterruptedException {
    long told = 0;
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) && !report.ended()) {
      long silent = report.silentMillis();
      if (silent >= silenceMillis) {
        return false;
      }
      if (silent < WAITING_MILLIS) {
        told = 0;
      } else if (silent - told >= WAITING_MILLIS) {
        told = silent;
        waiting.silent(report.last(), silent / 1000);
      }
    }
    return true;
  }

  /** With what it started: a compiler may hang too. Through handles, which leave the pipes open. */
  private static void kill(Process process) {
    List<ProcessHandle> started = process.descendants().toList();
    process.toHandle().destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  private static String trouble(Exit exit, Duration silence) {
    if (exit.hung()) {
      return "it hung, and said nothing for " + silence.toSeconds() + " s";
    }
    Crash crash = Crash.read(exit);
    String said =
        crash.reason().isEmpty() || crash.reason().startsWith("no crash") ? "" : crash.reason();
    if (!crash.signal().isEmpty()) {
      return crash.signal()
          + (crash.frame().isEmpty()
              ? ""
              : " in " + crash.frame().replaceFirst(", called from.*", ""))
          + (said.isEmpty() ? "" : " (" + said + ")");
    }
    return exit.code() == 0
        ? ""
        : "exit code "
            + exit.code()
            + (exit.lastWords().isEmpty() ? "" : " (" + exit.lastWords() + ")");
  }

  private static List<String> report(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (var lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return lines.lines().limit(40).toList();
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException left) {
      // A report of some kilobytes in the temporary folder.
    }
  }
}
