package dev.hiplab;

/**
 * Which calls HIP refuses while a stream captures, because they wait or allocate. A refused call
 * fails with hipErrorStreamCaptureUnsupported and spoils the capture.
 */
public enum CaptureMode {
  /** Those of every thread. */
  GLOBAL(0),
  /** Those of the thread that captures. */
  THREAD_LOCAL(1),
  /** None, except what waits for the capturing stream itself. */
  RELAXED(2);

  private final int code;

  CaptureMode(int code) {
    this.code = code;
  }

  /** The number that the bindings use. */
  int code() {
    return code;
  }
}
