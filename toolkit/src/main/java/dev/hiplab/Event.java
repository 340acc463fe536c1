package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.EventRef;
import dev.hiplab.bindings.Native;
import java.lang.ref.Cleaner;

/**
 * A device event: a mark in a stream's order that other streams and the host can wait for. {@link
 * Stream#record} sets it, {@link Stream#await} makes a stream wait for it. Thread-safe.
 */
public final class Event implements AutoCloseable {
  private final Device device;
  private final int id;
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;
  private volatile Stream recordedOn;
  private volatile CaptureLog recordedIn;

  private static final class Handle extends Lifetime {
    final EventRef ref;

    Handle(String name, Owner owner, EventRef ref) {
      super(name, owner);
      this.ref = ref;
    }

    @Override
    void release() {
      Native.destroyEvent(ref);
    }
  }

  Event(Device device, int id) {
    this.device = device;
    this.id = id;
    Backend backend = device.backend();
    BackendRef ref = backend.use();
    try {
      EventRef made = Native.createEvent(ref, device.index(), true);
      handle = new Handle("Event " + id, backend.owner, made);
      cleanable = handle.watch(this);
    } finally {
      backend.done();
    }
  }

  public int id() {
    return id;
  }

  public Device device() {
    return device;
  }

  /** Whether all work before the last record is done. False when it was never recorded. */
  public boolean done() {
    EventRef ref = use();
    try {
      return recordedOn != null && Native.eventDone(ref);
    } finally {
      endUse();
    }
  }

  /** Waits until all work before the last record is done. */
  public void synchronize() {
    requireRecorded();
    EventRef ref = use();
    try {
      Native.synchronizeEvent(ref);
    } finally {
      endUse();
    }
  }

  /**
   * Device time from another event to this one, milliseconds. Waits for both.
   *
   * @throws HiplabException when they belong to different devices, or one was never recorded
   */
  public float millisSince(Event start) {
    Require.given(start, "millisSince", "an event");
    requireSameDevice(start);
    start.synchronize();
    synchronize();
    EventRef from = start.use();
    try {
      EventRef to = use();
      try {
        return Native.elapsedMillis(from, to);
      } finally {
        endUse();
      }
    } finally {
      start.endUse();
    }
  }

  /**
   * Closes this event for Java and gives what it was to a static object of the native library,
   * which destroys it while the process exits (mlxcel 2197: events that outlive the pool they came
   * from). Until then it counts as open, so that its backend cannot be closed any more: for a
   * process that is about to end.
   *
   * @throws HiplabException when the event is closed already
   */
  public void keepUntilExit() {
    boolean given = handle.closeBy(() -> Native.keepEventUntilExit(handle.ref));
    cleanable.clean();
    if (!given) {
      handle.use(); // which says so
    }
  }

  // HIP says no more than that a handle is invalid.
  private void requireSameDevice(Event start) {
    if (start.device.index() != device.index()) {
      throw new HiplabException(
          "millisSince: "
              + start.handle.name()
              + " is of device "
              + start.device.index()
              + ", "
              + handle.name()
              + " of device "
              + device.index()
              + ", and each device has a clock of its own; use two events of one device");
    }
  }

  EventRef use() {
    handle.use();
    return handle.ref;
  }

  void endUse() {
    handle.done();
  }

  /** Notes the last record; the capture is null when it was in none. */
  void recorded(Stream stream, CaptureLog capture) {
    recordedIn = capture;
    recordedOn = stream;
  }

  CaptureLog recordedIn() {
    return recordedIn;
  }

  void requireRecorded() {
    if (recordedOn == null) {
      throw new HiplabException(
          handle.name() + " was never recorded; record it first with stream.record(event)");
    }
  }

  /** Returns when the event is freed; work that it marks is not waited for. */
  @Override
  public void close() {
    try {
      handle.close();
    } finally {
      cleanable.clean();
    }
  }

  @Override
  public String toString() {
    if (handle.isClosed()) {
      return handle.name() + " (closed)";
    }
    Stream stream = recordedOn;
    if (stream == null) {
      return handle.name() + " (never recorded)";
    }
    try {
      return handle.name()
          + " ("
          + (done() ? "done" : "pending")
          + " on stream "
          + stream.id()
          + ")";
    } catch (HiplabException e) {
      return handle.name() + " (" + e.getMessage() + ")";
    }
  }
}
