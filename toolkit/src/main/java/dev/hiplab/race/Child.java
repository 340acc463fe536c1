package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One fresh process: started, drained, waited for up to a deadline, and cleaned up after, whatever
 * became of it. It never outlives this JVM: a shutdown hook ends it, and it ends itself when its
 * standard input does.
 */
final class Child {
  // Options that a user set for other JVMs would change flags and print lines in ours.
  static final List<String> FOREIGN =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  private static final int INTERRUPTED = 128 + 2; // SIGINT

  private static final SecureRandom RANDOM = new SecureRandom();

  private final ChildFiles files;
  private final Duration deadline;

  Child(ChildFiles files, Duration deadline) {
    this.files = files;
    this.deadline = deadline;
  }

  /**
   * Runs the child's main class with arguments.
   *
   * @param count texts whose lines on standard error are counted
   * @throws InterruptedException when this thread was interrupted; the child is gone then
   */
  Exit run(List<String> arguments, Set<String> count) throws InterruptedException {
    // A name only: nothing is left behind unless the child crashes, even if this process is killed.
    String token = Long.toHexString(RANDOM.nextLong());
    String name = "hiplab-hs_err-" + token + ".log";
    List<String> all = new ArrayList<>(arguments);
    all.add(token);
    Path crash = Path.of(System.getProperty("java.io.tmpdir"), name).toAbsolutePath();
    try {
      try {
        return watch(start(files.command(crash, all)), ChildReport.mark(token), crash, count);
      } finally {
        Files.deleteIfExists(crash);
      }
    } catch (IOException e) {
      throw new HiplabException("the child process could not be run: " + e.getMessage(), e);
    }
  }

  /** Runs a command to its end, whatever that is; its output is dropped. */
  static void finish(List<String> command, Duration deadline)
      throws IOException, InterruptedException {
    ProcessBuilder builder = builder(command);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = Starting.start(builder);
    try {
      process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      process.destroyForcibly();
    }
  }

  private static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    FOREIGN.forEach(builder.environment()::remove);
    // The software device's streams are the parallelism here; OpenBLAS's own threads would spin
    // beside them, 20 ms of processor time in every child.
    builder.environment().putIfAbsent("OPENBLAS_NUM_THREADS", "1");
    return builder;
  }

  private record Started(Process process, long at) {}

  private static Started start(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = builder(command);
    long at = System.nanoTime();
    return new Started(Starting.start(builder), at);
  }

  private Exit watch(Started started, String mark, Path crash, Set<String> count)
      throws IOException, InterruptedException {
    Process process = started.process();
    AtomicBoolean leaving = new AtomicBoolean();
    Thread hook = new Thread(() -> end(process, leaving), "hiplab-end-child");
    try {
      Starting.hook(hook);
      Map<String, String> report = new LinkedHashMap<>();
      Map<String, Integer> counts = new HashMap<>();
      count.forEach(text -> counts.put(text, 0));
      LineDrain out =
          new LineDrain(
              "child-out", process.getInputStream(), line -> read(mark, line, report, process));
      LineDrain err =
          new LineDrain("child-err", process.getErrorStream(), line -> count(line, counts));
      boolean ended = process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
      double wallMillis = (System.nanoTime() - started.at()) / 1e6;
      String stuck = ended ? "" : ThreadDump.where(process, out);
      // Through its handle: the process's own method closes the pipes, and what was not read yet
      // would be lost.
      process.toHandle().destroyForcibly();
      int code = process.waitFor();
      // Ctrl-C reaches a terminal's whole process group: that end of a child is no finding.
      if (leaving.get() || code == INTERRUPTED) {
        throw new InterruptedException();
      }
      out.finish();
      err.finish();
      return new Exit(
          ended ? code : -1,
          !ended,
          wallMillis,
          snapshot(report),
          err.lines(),
          snapshot(counts),
          crashReport(crash),
          stuck);
    } finally {
      reap(process);
      unhook(hook);
    }
  }

  /**
   * Kills it and waits until it is gone, which takes milliseconds, also for an interrupted thread.
   */
  private static void reap(Process process) {
    process.destroyForcibly();
    try {
      process.waitFor(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void read(String mark, String line, Map<String, String> report, Process process) {
    boolean complete;
    synchronized (report) {
      complete = ChildReport.read(mark, line, report) && report.containsKey("end");
    }
    if (complete) {
      // The child waits for this before it exits: see ParentWatch.
      try {
        process.getOutputStream().close();
      } catch (IOException gone) {
        // It has exited already.
      }
    }
  }

  private static void count(String line, Map<String, Integer> counts) {
    synchronized (counts) {
      counts.replaceAll((text, seen) -> line.contains(text) ? seen + 1 : seen);
    }
  }

  private static <V> Map<String, V> snapshot(Map<String, V> map) {
    synchronized (map) {
      return new LinkedHashMap<>(map);
    }
  }

  private static List<String> crashReport(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (var lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return lines.lines().limit(40).toList();
    }
  }

  private static void end(Process process, AtomicBoolean leaving) {
    leaving.set(true);
    process.destroyForcibly();
  }

  private static void unhook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // The hook is running, which is what it is for.
    }
  }

  /** Deletes a folder and what is in it. */
  static void delete(Path folder) throws IOException {
    try (var entries = Files.walk(folder)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
    }
  }
}
