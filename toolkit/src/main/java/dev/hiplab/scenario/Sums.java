package dev.hiplab.scenario;

import java.util.function.BooleanSupplier;

/**
 * How a device makes sums of one type, found out when first asked. Thread-safe.
 *
 * <p>Where that cannot be measured it is unknown, and an output must be exact.
 */
public final class Sums {
  /** IEEE sums: of small integers, exact. */
  public static final Sums IEEE = new Sums(() -> true);

  private final BooleanSupplier measure;
  private Boolean ieee; // guarded by this
  private String unknown = ""; // guarded by this

  /**
   * Measured later.
   *
   * @param addsIeee asked once; an exception means that it cannot be known
   */
  public Sums(BooleanSupplier addsIeee) {
    measure = addsIeee;
  }

  /** Whether an output may miss the exact sum by {@link Reference#bound}. Measures if need be. */
  public synchronized boolean allowBound() {
    if (ieee == null) {
      try {
        ieee = measure.getAsBoolean();
      } catch (RuntimeException | LinkageError e) {
        ieee = true;
        unknown = Sentences.of(e);
      }
    }
    return !ieee;
  }

  /** Why it is not known; empty when it is, or nobody has asked. */
  public synchronized String unknown() {
    return unknown;
  }
}
