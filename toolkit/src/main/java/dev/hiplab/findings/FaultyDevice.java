package dev.hiplab.findings;

import dev.hiplab.CaptureMode;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Event;
import dev.hiplab.Gemm;
import dev.hiplab.Graph;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Objects of {@link FaultSticky} that are made before the fault, the graph that makes it among
 * them; their backend closes them.
 */
final class FaultyDevice {
  private final Device device;
  final Stream held;
  final Stream other;
  final Stream filling;
  final Event event;
  final Matrix a;
  final Matrix b;
  final Matrix c;
  final Graph graph;

  FaultyDevice(Device device) {
    this.device = device;
    held = device.stream();
    other = device.stream();
    filling = device.stream();
    event = device.event();
    a = device.empty(DType.F32, 64, 64);
    b = device.matrix(DType.F32, 1, 64, 64, new float[64 * 64]);
    c = device.empty(DType.F32, 64, 64);
    other.gemm(Gemm.NN, b, b, c);
    other.synchronize();
    Matrix freed = device.empty(DType.F32, 64, 64);
    filling.beginCapture(CaptureMode.THREAD_LOCAL);
    filling.poison(freed);
    graph = filling.endCapture();
    freed.close();
  }

  /** Calls of every kind, each of which reaches HIP. */
  Map<String, Runnable> calls() {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("synchronize", other::synchronize);
    calls.put("idle", other::idle);
    calls.put("record", () -> other.record(event));
    calls.put("await", () -> other.await(event));
    calls.put("event-done", event::done);
    calls.put("poison", () -> other.poison(c));
    calls.put("gemm", () -> other.gemm(Gemm.NN, b, b, c));
    calls.put("read", c::floats);
    calls.put("graph-launch", () -> graph.launchUnchecked(other));
    calls.put("begin-capture", () -> other.beginCapture(CaptureMode.GLOBAL));
    calls.put("new-stream", device::stream);
    calls.put("new-event", device::event);
    calls.put("new-matrix", () -> device.empty(DType.F32, 64, 64));
    calls.put("acquire", device::acquireStream);
    return calls;
  }
}
