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
  private static final long PATIENCE_MILLIS = 10_000;

  private record Ended(int code, long at) {}

  private final Process process;
  private final CompletableFuture<Ended> ended = new CompletableFuture<>();
  private final LineDrain told; // ends when everything has

  private CommandProcess(Process process) {
    this.process = process;
    this.told = new LineDrain("command-end", process.getErrorStream(), this::read);
    process.onExit().thenRun(this::lost);
  }

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
      process = Starting.start(builder);
    } catch (IOException e) {
      throw new HiplabException(
          "the command could not be started in " + folder + ": " + e.getMessage(), e);
    }
    CommandProcess started = new CommandProcess(process);
    try {
      LineDrain out =
          new LineDrain("command-out", output.copying(process.getInputStream()), onLine);
      Ended ended = started.await(deadline);
      double wallMillis = ((ended == null ? System.nanoTime() : ended.at()) - at) / 1e6;
      started.end();
      out.finish();
      return new CommandExit(
          ended == null ? -1 : ended.code(), ended == null, deadline.toSeconds(), wallMillis);
    } finally {
      started.end();
      // Not before: it closes the pipes, and what was not read yet would be lost.
      process.destroyForcibly();
    }
  }

  /** How the command ended; null when it has not within the deadline. */
  private Ended await(Duration deadline) throws InterruptedException {
    try {
      return ended.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new HiplabException(e.getCause().getMessage(), e);
    }
  }

  private void read(String line) {
    if (line.startsWith(Supervisor.ENDED)) {
      int code = Integer.parseInt(line.substring(Supervisor.ENDED.length()));
      ended.complete(new Ended(code, System.nanoTime()));
    }
  }

  /** The supervisor has gone: with a word on the command, unless something killed it. */
  private void lost() {
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
  private void end() {
    try {
      process.getOutputStream().close();
    } catch (IOException gone) {
      // It has ended already.
    }
    boolean interrupted = false;
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (told.isAlive() && System.nanoTime() < until) {
      try {
        told.join(PATIENCE_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
