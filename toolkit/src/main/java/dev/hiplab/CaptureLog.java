package dev.hiplab;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The matrices of one capture: what was enqueued, between its begin and its end, on the stream that
 * began it and on those that joined. Thread-safe.
 */
final class CaptureLog {
  private Map<Matrix, Boolean> written = new LinkedHashMap<>(); // or only read
  private boolean open = true;

  synchronized boolean isOpen() {
    return open;
  }

  /** False, and nothing noted, when the capture is over. */
  synchronized boolean add(Matrix matrix, boolean writes) {
    if (open) {
      written.merge(matrix, writes, Boolean::logicalOr);
    }
    return open;
  }

  /**
   * Ends it. Each matrix, and whether the work writes it; these are handed over, so that events and
   * streams that still know the capture do not keep them reachable.
   */
  synchronized Map<Matrix, Boolean> end() {
    Map<Matrix, Boolean> all = written;
    open = false;
    written = Map.of();
    return all;
  }
}
