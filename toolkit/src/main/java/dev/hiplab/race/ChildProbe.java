package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A main class in a JVM of its own that loads what may end a process: what it printed, and how it
 * ended. The JVM has this one's class path and its properties of hiplab.
 */
public final class ChildProbe {
  private ChildProbe() {}

  /**
   * How it ended.
   *
   * @param lines its standard output, the last lines of it
   * @param trouble empty when it ended by itself with exit code 0; else what ended it, and where
   */
  public record End(List<String> lines, String trouble) {}

  /**
   * Runs it to its end or to the deadline, after which it is killed.
   *
   * @throws HiplabException when no process can be started
   * @throws InterruptedException when this thread was interrupted; the process is gone then
   */
  public static End run(Class<?> main, List<String> arguments, Duration deadline)
      throws InterruptedException {
    // A name only: nothing is left behind unless the process crashes.
    String name = "hiplab-hs_err-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    Path crash = Path.of(System.getProperty("java.io.tmpdir"), name + ".log").toAbsolutePath();
    try {
      ProcessBuilder builder = new ProcessBuilder(command(main, arguments, crash));
      builder.environment().keySet().removeAll(Child.FOREIGN);
      return watch(Starting.start(builder), crash, deadline);
    } catch (IOException e) {
      throw new HiplabException("no process could be started: " + e.getMessage(), e);
    } finally {
      delete(crash);
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

  private static End watch(Process process, Path crash, Duration deadline)
      throws IOException, InterruptedException {
    Thread hook = new Thread(process::destroyForcibly, "hiplab-end-probe");
    try {
      Starting.hook(hook);
      LineDrain out = new LineDrain("probe-out", process.getInputStream(), line -> {});
      LineDrain err = new LineDrain("probe-err", process.getErrorStream(), line -> {});
      boolean ended = process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
      process.toHandle().destroyForcibly();
      int code = process.waitFor();
      out.finish();
      err.finish();
      Exit exit =
          new Exit(
              ended ? code : -1, !ended, 0, Map.of(), err.lines(), Map.of(), report(crash), "");
      return new End(out.lines(), trouble(exit, deadline));
    } finally {
      process.destroyForcibly();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        // The hook is running, which is what it is for.
      }
    }
  }

  private static String trouble(Exit exit, Duration deadline) {
    if (exit.hung()) {
      return "it did not end within " + deadline.toSeconds() + " s";
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
