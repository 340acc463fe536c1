package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;
import java.util.Map;

/**
 * One device of a backend; the door to its streams, events and matrices. Thread-safe. It is not
 * closed itself: its backend is.
 */
public final class Device {
  private final Backend backend;
  private final int index;
  private Map<String, String> info; // guarded by this
  private Stream transfers; // guarded by this

  Device(Backend backend, int index) {
    this.backend = backend;
    this.index = index;
  }

  public int index() {
    return index;
  }

  public Backend backend() {
    return backend;
  }

  /** The device's name as the driver tells it. */
  public String name() {
    return info().getOrDefault("name", "device");
  }

  /** {@code name}, {@code arch}, {@code totalBytes}, {@code multiprocessors}, {@code warpSize}. */
  public synchronized Map<String, String> info() {
    if (info == null) {
      BackendRef ref = backend.use();
      try {
        info = KeyValues.texts(Native.deviceInfo(ref, index));
      } finally {
        backend.done();
      }
    }
    return info;
  }

  /**
   * Whether the device has native WMMA, as the backend's part device-traits answers: what attention
   * and quantized GEMMs ask before they choose their kernel (mlxcel 2198). Thread-safe in the form
   * FIXED.
   */
  public boolean hasNativeWmma() {
    BackendRef ref = backend.use();
    try {
      return Native.hasNativeWmma(ref, index);
    } finally {
      backend.done();
    }
  }

  /**
   * Whether hipBLASLt has GEMMs of that type here, as the backend's part capability-probe answers:
   * what chooses the fp8 route before any GEMM (mlxcel 2200). Thread-safe in the form FIXED.
   *
   * @throws HiplabException what the probe throws
   */
  public boolean hasBlasLtGemm(DType type) {
    Require.given(type, "hasBlasLtGemm", "an element type");
    BackendRef ref = backend.use();
    try {
      return Native.hasBlasLtGemm(ref, index, type.code());
    } finally {
      backend.done();
    }
  }

  /** A new stream. Work on different streams is ordered by events only. */
  public Stream stream() {
    return new Stream(this, backend.streamIds.incrementAndGet());
  }

  /**
   * A stream for work that may be given up when it takes too long (MIOpen 12265): one from the
   * device's pool or a new one. Waits while as many abandoned ones still run as may:
   * GPU_MAX_HW_QUEUES (4 when unset) - 2, at least 1.
   */
  public DisposableStream acquireStream() {
    return new DisposableStream(this, backend.streamIds.incrementAndGet());
  }

  /** What the device's pool of disposable streams holds now. */
  public TrackerState trackerState() {
    BackendRef ref = backend.use();
    try {
      return TrackerState.of(KeyValues.numbers(Native.trackerState(ref, index)));
    } finally {
      backend.done();
    }
  }

  /**
   * What hipBLASLt's heuristic offers here for a GEMM, to be run one by one on streams of this
   * device: C is m x n, the sum runs over k.
   *
   * @param spec its transposes, alpha and beta
   * @param requested how many candidates to ask for, at least 1
   * @param capBytes most workspace that a candidate may need, bytes
   */
  public Candidates candidates(
      Gemm spec, DType dtype, int batch, int m, int n, int k, int requested, long capBytes) {
    Require.given(spec, "candidates", "a Gemm");
    Require.given(dtype, "candidates", "an element type");
    GemmShape shape = new GemmShape(batch, m, n, k);
    Heuristics.require("candidates", shape, requested, capBytes);
    Stream stream = transfers();
    StreamRef ref = stream.use();
    try {
      return new Candidates(
          this, spec, dtype, shape, Heuristics.query(ref, spec, dtype, shape, requested, capBytes));
    } finally {
      stream.endUse();
    }
  }

  /** A new event, with timing. */
  public Event event() {
    return new Event(this, backend.eventIds.incrementAndGet());
  }

  /** A matrix of the given values, row-major. */
  public Matrix matrix(DType dtype, int rows, int cols, float... values) {
    return matrix(dtype, 1, rows, cols, values);
  }

  /**
   * A batch of matrices of the given values: batch after batch, row-major. Values are rounded to
   * the element type. The copy is made when this returns.
   */
  public Matrix matrix(DType dtype, int batch, int rows, int cols, float[] values) {
    Require.given(dtype, "a matrix", "an element type");
    Require.given(values, "a matrix", "an array of values");
    long count = Matrix.count(batch, rows, cols);
    if (values.length != count) {
      throw new HiplabException(
          "a matrix "
              + Matrix.shape(batch, rows, cols)
              + " needs "
              + count
              + " values, not "
              + values.length);
    }
    Matrix matrix = empty(dtype, batch, rows, cols);
    try {
      transfers().copyIn(matrix, values);
    } catch (RuntimeException e) {
      matrix.close();
      throw e;
    }
    return matrix;
  }

  /** A matrix whose contents are undefined until a stream writes it. */
  public Matrix empty(DType dtype, int rows, int cols) {
    return empty(dtype, 1, rows, cols);
  }

  /** A batch of matrices whose contents are undefined until a stream writes them. */
  public Matrix empty(DType dtype, int batch, int rows, int cols) {
    return new Matrix(this, backend.matrixIds.incrementAndGet(), dtype, batch, rows, cols);
  }

  /** The device's own stream for copies that belong to no stream of the user. */
  synchronized Stream transfers() {
    if (transfers == null) {
      transfers = new Stream(this, 0);
    }
    return transfers;
  }

  /**
   * Such as {@code Device 0: Radeon 8060S (gfx1151), driver rocm (rocm has a device)}, and the
   * forms of its backend's parts unless all are FIXED.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("Device ").append(index);
    try {
      Map<String, String> known = info();
      text.append(": ").append(name());
      String arch = known.get("arch");
      if (arch != null && !arch.isEmpty() && name().indexOf(arch) < 0) {
        text.append(" (").append(arch).append(')');
      }
      Map<String, String> provider = backend.info();
      text.append(", driver ").append(provider.get("provider"));
      text.append(" (").append(provider.get("reason")).append(')');
      text.append(backend.allFixed() ? "" : ", " + backend.forms());
    } catch (HiplabException e) {
      return text.append(": ").append(e.getMessage()).toString();
    }
    long forgotten = backend.forgotten();
    if (forgotten > 0) {
      text.append(", ").append(forgotten).append(" forgotten and freed");
    }
    return text.toString();
  }
}
