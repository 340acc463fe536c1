package dev.hiplab.findings;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what another thread does soon, with a bound well under a run's deadline. */
final class Patience {
  /** Enough for a busy machine. */
  static final int SECONDS = 30;

  private Patience() {}

  /** Whether it became true within {@link #SECONDS}. */
  static boolean until(BooleanSupplier condition) throws InterruptedException {
    return until(SECONDS, condition);
  }

  /** Whether it became true within that time, which is looked at once more at its end. */
  static boolean until(int seconds, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < end) {
      if (condition.getAsBoolean()) {
        return true;
      }
      Thread.sleep(1);
    }
    return condition.getAsBoolean();
  }
}
