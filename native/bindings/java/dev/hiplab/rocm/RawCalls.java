package dev.hiplab.rocm;

import dev.hiplab.bindings.Native;

/** What raw calls go to. Thread-safe. */
public final class RawCalls {
  private RawCalls() {}

  /**
   * One line, as {@code Backend.describe()} has it: provider, device, and why this provider. It is
   * chosen here unless a raw call did so.
   *
   * @throws dev.hiplab.HiplabException when none can be used; it says why and what to do. The next
   *     call tries again
   */
  public static String describe() {
    RawLibrary.load();
    return Native.describeRaw();
  }
}
