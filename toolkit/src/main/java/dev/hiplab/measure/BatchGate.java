package dev.hiplab.measure;

import dev.hiplab.HiplabException;
import dev.hiplab.HostGate;
import dev.hiplab.Stream;

/**
 * Holds a stream back while a batch is being enqueued on it, so that the device never waits for the
 * host within the batch: on an idle stream the time between two events is the host's. Host
 * callbacks run one at a time in a process, so that a gate is held for no longer than that. Whoever
 * enqueues must not wait for the stream meanwhile. Used by one thread.
 */
final class BatchGate implements AutoCloseable {
  private final Stream stream;
  private HostGate held; // null when none is
  private boolean usable = true;

  BatchGate(Stream stream) {
    this.stream = stream;
  }

  /** Whether one is held now; false where there can be none, such as on a stream that captures. */
  boolean shut() {
    if (held != null || !usable) {
      return held != null;
    }
    HostGate gate = stream.device().backend().hostGate();
    try {
      stream.waitAt(gate);
      held = gate;
    } catch (HiplabException e) {
      gate.close();
      usable = false;
    }
    return usable;
  }

  /** Whether one is held now. */
  boolean isShut() {
    return held != null;
  }

  /** Lets the batch go. A gate passes also when it is closed before the stream has come to it. */
  void open() {
    HostGate gate = held;
    held = null;
    if (gate != null) {
      gate.close();
    }
  }

  @Override
  public void close() {
    open();
  }
}
