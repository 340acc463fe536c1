package dev.hiplab.findings;

import dev.hiplab.HiplabException;
import java.util.concurrent.TimeUnit;

/** A thread that makes one call which may not return; the process exits without it. */
final class WaitingCall extends Thread {
  private final Runnable call;
  private volatile boolean ended;
  private volatile String error = "";
  private volatile int status;

  WaitingCall(String name, Runnable call) {
    super(name);
    this.call = call;
    setDaemon(true);
  }

  @Override
  public void run() {
    try {
      call.run();
    } catch (HiplabException e) {
      status = e.status();
      error = e.getMessage();
    } finally {
      ended = true;
    }
  }

  /** Whether it returned or threw within {@link Patience#SECONDS}. */
  boolean awaitEnd() throws InterruptedException {
    join(TimeUnit.SECONDS.toMillis(Patience.SECONDS));
    return ended;
  }

  boolean ended() {
    return ended;
  }

  /** What it threw; empty when it returned, or has not yet. */
  String error() {
    return error;
  }

  /** The status of the driver call that failed; 0 when none did. */
  int status() {
    return status;
  }
}
