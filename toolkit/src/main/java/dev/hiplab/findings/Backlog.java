package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.DisposableStream;
import dev.hiplab.Event;
import dev.hiplab.HostGate;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.TrackerState;
import java.util.ArrayList;
import java.util.List;

/** As many abandoned evaluations as may still run (MIOpen 12265). */
final class Backlog {
  private Backlog() {}

  /** The value that this process's cap follows from; null when unset. */
  static String hardwareQueues() {
    return System.getenv("GPU_MAX_HW_QUEUES");
  }

  /** The cap of this process. */
  static int cap() {
    return DisposableStream.backlogCap(hardwareQueues());
  }

  /** Abandons as many as the cap allows; they run until the gate is opened. */
  static void fillRunning(Device device, HostGate gate) {
    for (DisposableStream stream : acquired(device)) {
      Matrix scratch = device.empty(DType.F32, 64, 64);
      stream.waitAt(gate);
      stream.poison(scratch);
      stream.abandon(scratch);
    }
  }

  /** Abandons as many as the cap allows, their work at its end. */
  static void fillEnded(Device device) {
    for (DisposableStream stream : acquired(device)) {
      abandonEnded(stream);
    }
  }

  /** Abandons an evaluation whose work has ended, and {@link Overrun#SCRATCH_BYTES} of scratch. */
  static void abandonEnded(DisposableStream stream) {
    Matrix scratch = stream.device().empty(DType.F32, 64, 64);
    stream.poison(scratch);
    stream.synchronize();
    stream.abandon(scratch);
  }

  /** The stream of ended work that drains, through its done event while its callback is late. */
  static DisposableStream reacquired(Device device) throws InterruptedException {
    DisposableStream stream = device.acquireStream();
    while (device.trackerState().draining() > 0) {
      stream.release();
      Thread.sleep(1);
      stream = device.acquireStream();
    }
    return stream;
  }

  /** So that callbacks come soon: a stream may start a thread with its first work. */
  static void warm(Stream stream) {
    try (Event event = stream.device().event()) {
      stream.record(event);
      event.synchronize();
    }
  }

  /** Whether no abandoned work is left, and nothing that it pinned. */
  static boolean isDrained(Device device) {
    TrackerState state = device.trackerState();
    return state.draining() == 0 && state.pinnedBytes() == 0;
  }

  // Before the first is abandoned: an acquire() may ask those that are.
  private static List<DisposableStream> acquired(Device device) {
    List<DisposableStream> streams = new ArrayList<>();
    for (int i = 0; i < cap(); i++) {
      streams.add(device.acquireStream());
    }
    return streams;
  }
}
