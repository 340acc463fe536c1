package dev.hiplab.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C into an interrupt of the working thread and gives it two seconds to say what it
 * kept, before the process ends.
 */
final class Interrupt implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 2;

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "hiplab-interrupt");

  private Interrupt() {}

  /** Guards the calling thread until closed. */
  static Interrupt guard() {
    Interrupt interrupt = new Interrupt();
    Runtime.getRuntime().addShutdownHook(interrupt.hook);
    return interrupt;
  }

  private void stop() {
    worker.interrupt();
    try {
      finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // It is running and has just been let go.
    }
  }
}
