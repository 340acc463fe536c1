package dev.hiplab.race;

import java.io.IOException;

/**
 * Ends this process when its parent is gone: the parent holds the other end of standard input and
 * never writes, so the end of the stream means that it died, however it died. (A PR_SET_PDEATHSIG
 * would follow the parent's thread instead of its process.)
 *
 * <p>A JVM that exits waits up to 300 ms for threads in native code, and this one is in read(). So
 * the parent closes the stream when the report is complete, and the child exits after that.
 */
final class ParentWatch extends Thread {
  private static final long PATIENCE_MILLIS = 1000;

  private volatile boolean endExpected;

  ParentWatch() {
    super("parent-watch");
    setDaemon(true);
  }

  @Override
  public void run() {
    try {
      while (System.in.read() >= 0) {
        continue;
      }
    } catch (IOException closed) {
      // As good as the end.
    }
    if (!endExpected) {
      Runtime.getRuntime().halt(ChildReport.PARENT_GONE);
    }
  }

  /** From now on the end of the stream is only the parent's answer to the report. */
  void expectEnd() {
    endExpected = true;
  }

  /** Waits a moment for that answer. */
  void awaitEnd() {
    try {
      join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
