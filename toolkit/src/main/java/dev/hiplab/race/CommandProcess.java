package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One command: started under a {@link Supervisor}, drained, waited for up to a deadline, and ended
 * with all that it started. It never outlives this JVM, however that dies.
 */
final class CommandProcess {
  /** For the supervisor to end what is left; it gives up after 5 s itself. */
  private static final long PATIENCE_SECONDS = 10;

  private record Ended(int code, long at) {}

  private CommandProcess() {}

  /**
   * Runs a text of the shell.
   *
   * @param environment variables beside those of this process
   * @param onLine told of each line of standard output and standard error, in the order in which
   *     they were written
   * @param output takes a copy
   * @throws HiplabException when it could not be started
   * @throws InterruptedException when this thread was interrupted; the command is gone then
   */
  static CommandExit run(
      String text,
      Path folder,
      Map<String, String> environment,
      Duration deadline,
      Consumer<String> onLine,
      OutputFile output)
      throws InterruptedException {
    List<String> command = Supervisor.command(text);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    long at = System.nanoTime();
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new HiplabException(
          "the command could not be started in " + folder + ": " + e.getMessage(), e);
    }
    try {
      LineDrain out =
          new LineDrain("command-out", output.copying(process.getInputStream()), onLine);
      Ended ended = await(process, deadline);
      end(process);
      out.finish();
      double wallMillis = ((ended == null ? System.nanoTime() : ended.at()) - at) / 1e6;
      return new CommandExit(
          ended == null ? -1 : ended.code(), ended == null, deadline.toSeconds(), wallMillis);
    } finally {
      end(process);
    }
  }

  /** How the command ended; null when it has not within the deadline. */
  private static Ended await(Process process, Duration deadline) throws InterruptedException {
    CompletableFuture<Ended> ended = new CompletableFuture<>();
    LineDrain told =
        new LineDrain("command-end", process.getErrorStream(), line -> read(line, ended));
    process.onExit().thenRun(() -> lost(told, ended));
    try {
      return ended.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new HiplabException(e.getCause().getMessage(), e);
    }
  }

  private static void read(String line, CompletableFuture<Ended> ended) {
    if (line.startsWith(Supervisor.ENDED)) {
      int code = Integer.parseInt(line.substring(Supervisor.ENDED.length()));
      ended.complete(new Ended(code, System.nanoTime()));
    }
  }

  /** The supervisor has gone: with a word on the command, unless something killed it. */
  private static void lost(LineDrain told, CompletableFuture<Ended> ended) {
    try {
      told.finish();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ended.completeExceptionally(
        new HiplabException(
            "the shell that watches over the command ended before it, killed from outside; that is"
                + " no outcome: finish with --resume"));
  }

  /** Ends all that is left of it, also for an interrupted thread. */
  private static void end(Process process) {
    try {
      process.getOutputStream().close();
    } catch (IOException gone) {
      // It has ended already.
    }
    boolean interrupted = false;
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (process.isAlive() && System.nanoTime() < until) {
      try {
        process.waitFor(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    process.destroyForcibly();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
