package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.DisposableStream;
import dev.hiplab.Event;
import dev.hiplab.HostGate;
import dev.hiplab.Matrix;

/**
 * An evaluation that has overrun its time and was abandoned still running (MIOpen 9513): its work
 * ends when it is told to. A host function holds its stream, which blocks every other host function
 * as well; so one of these runs at a time, and the callback of a tracker comes after it.
 */
final class Overrun implements AutoCloseable {
  /** Of the scratch that it pins: 64 x 64 floats. */
  static final long SCRATCH_BYTES = 64 * 64 * 4;

  private final HostGate gate;
  private final Event ended;

  private Overrun(Device device) {
    gate = device.backend().hostGate();
    ended = device.event();
  }

  /** Acquires a stream, starts work that writes scratch, and gives up on it. */
  static Overrun abandon(Device device) {
    DisposableStream stream = device.acquireStream();
    return abandon(stream, device.empty(DType.F32, 64, 64));
  }

  /**
   * The same on a stream that has been acquired already.
   *
   * @param scratch or null when it pins none: the free of some waits for the whole device, and so
   *     keeps the thread that frees until this work has ended
   */
  static Overrun abandon(DisposableStream stream, Matrix scratch) {
    Overrun overrun = new Overrun(stream.device());
    stream.waitAt(overrun.gate);
    if (scratch != null) {
      stream.poison(scratch);
    }
    stream.record(overrun.ended);
    stream.abandon(scratch);
    return overrun;
  }

  /** Lets its work go on to its end. */
  void end() {
    gate.open();
  }

  /** Whether the work has ended. Not while a capture forbids the question. */
  boolean ended() {
    return ended.done();
  }

  /** Waits for the end of the work; only after {@link #end}. */
  void awaitEnd() {
    ended.synchronize();
  }

  /** Whether the work has begun, and with it the host function that blocks all others. */
  boolean running() {
    return gate.reached();
  }

  @Override
  public void close() {
    gate.close();
    ended.close();
  }
}
