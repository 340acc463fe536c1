package dev.hiplab.race;

import java.io.IOException;

/** Starts processes on a thread that Ctrl-C may be about to interrupt. */
final class Starting {
  private static final long PATIENCE_MILLIS = 500;

  private Starting() {}

  /**
   * Starts one. Ctrl-C reaches a terminal's whole process group, and so the helper that is about to
   * become the process: that start fails shortly before this thread is interrupted.
   *
   * @throws IOException when it failed for another reason
   * @throws InterruptedException when this thread is being interrupted
   */
  static Process start(ProcessBuilder builder) throws IOException, InterruptedException {
    try {
      return builder.start();
    } catch (IOException e) {
      Thread.sleep(PATIENCE_MILLIS);
      throw e;
    }
  }

  /**
   * Has a hook run when this JVM ends.
   *
   * @throws InterruptedException when it is ending already
   */
  static void hook(Thread hook) throws InterruptedException {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException ending) {
      InterruptedException interrupted = new InterruptedException("this JVM is ending");
      interrupted.initCause(ending);
      throw interrupted;
    }
  }
}
