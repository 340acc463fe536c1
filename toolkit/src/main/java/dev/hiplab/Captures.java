package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.GraphRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The capture that one stream began or joined, if any. The driver knows that itself; here is what
 * it does not know: which matrices the captured work uses. Without a lock, as a capture may begin
 * in one thread and be refused its end in another, and a schedule may hold either there.
 * Thread-safe.
 */
final class Captures {
  private final Stream stream;
  private final AtomicReference<CaptureLog> log = new AtomicReference<>();
  private volatile CaptureLog began; // here, and not on a stream that this one joined

  Captures(Stream stream) {
    this.stream = stream;
  }

  /** The log of the capture that the stream is part of, or null. */
  CaptureLog current() {
    CaptureLog last = log.get();
    return last != null && last.isOpen() ? last : null;
  }

  /** The stream waits for an event that was recorded in a capture, or, with null, in none. */
  void join(CaptureLog other) {
    if (other != null && other.isOpen()) {
      log.set(other);
    }
  }

  /** Work on this matrix is about to be enqueued: what is captured does not write it yet. */
  void touches(Matrix matrix, boolean writes) {
    CaptureLog last = log.get();
    boolean captured = last != null && last.add(matrix, writes);
    if (writes && !captured) {
      matrix.writtenBy(stream);
    }
  }

  void begin(CaptureMode mode) {
    Require.given(mode, "beginCapture", "a mode");
    // Before the driver's own begin: another thread may enqueue at once.
    CaptureLog fresh = new CaptureLog();
    log.updateAndGet(last -> last != null && last.isOpen() ? last : fresh);
    StreamRef ref = stream.use();
    try {
      Native.beginCapture(ref, mode.code());
      began = log.get();
    } catch (HiplabException e) {
      log.compareAndSet(fresh, null); // an open capture's stays
      throw stream.located("beginCapture", e);
    } finally {
      stream.endUse();
    }
  }

  Graph end() {
    Backend backend = stream.device().backend();
    BackendRef open = backend.use(); // so that it does not close between the graph and its owner
    try {
      StreamRef ref = stream.use();
      CaptureLog last = log.get();
      try {
        GraphRef graph = Native.endCapture(ref);
        CaptureLog all = last == null ? new CaptureLog() : last;
        log.compareAndSet(last, null);
        return new Graph(stream.device(), backend.graphIds.incrementAndGet(), graph, all.end());
      } catch (HiplabException e) {
        forgetEnded(ref, last);
        throw stream.located("endCapture", e);
      } finally {
        stream.endUse();
      }
    } finally {
      backend.done();
    }
  }

  // A spoilt capture is over; one whose end the wrong thread asked for goes on.
  private void forgetEnded(StreamRef ref, CaptureLog last) {
    try {
      if (last != null && CaptureStatus.of(Native.captureStatus(ref)) == CaptureStatus.NONE) {
        last.end();
      }
    } catch (HiplabException e) {
      // What ended it is thrown already.
    }
  }

  /** The stream is closed, which discards a capture that began on it. */
  void discard() {
    CaptureLog last = began;
    if (last != null) {
      last.end();
    }
  }

  CaptureStatus status() {
    StreamRef ref = stream.use();
    try {
      return CaptureStatus.of(Native.captureStatus(ref));
    } catch (HiplabException e) {
      throw stream.located("captureStatus", e);
    } finally {
      stream.endUse();
    }
  }
}
