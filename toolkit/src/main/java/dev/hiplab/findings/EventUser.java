package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Event;
import dev.hiplab.Kernel;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;

/** Two streams of one thread, ordered by events alone. For one thread at a time. */
final class EventUser implements AutoCloseable {
  static final String WRITE =
      "extern \"C\" __global__ void write(float* x, float step) { x[threadIdx.x] = step; }";
  static final String CHECK =
      "extern \"C\" __global__ void check(float* x, float* stale, float step) {\n"
          + "  if (x[threadIdx.x] != step) stale[threadIdx.x] += 1.0f;\n"
          + "}";
  private static final int N = ProbeKernel.N;

  private final Kernel write;
  private final Kernel check;
  private final Device device;
  private final Stream writing;
  private final Stream checking;
  private final Matrix x;
  private final Matrix stale;

  EventUser(Device device, Kernel write, Kernel check) {
    this.device = device;
    this.write = write;
    this.check = check;
    writing = device.stream();
    checking = device.stream();
    x = device.matrix(DType.F32, 1, N, new float[N]);
    stale = device.matrix(DType.F32, 1, N, new float[N]);
  }

  /** The check waits for the write, the next write for the check. */
  void step(int step) {
    try (Event written = device.event();
        Event checked = device.event()) {
      writing.launch(write, 1, N, x, (float) step);
      writing.record(written);
      checking.await(written);
      checking.launch(check, 1, N, x, stale, (float) step);
      checking.record(checked);
      writing.await(checked);
    }
  }

  long stale() {
    long sum = 0;
    for (float count : stale.floats()) {
      sum += (long) count;
    }
    return sum;
  }

  @Override
  public void close() {
    writing.close();
    checking.close();
    x.close();
    stale.close();
  }
}
