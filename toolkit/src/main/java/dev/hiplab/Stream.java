package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.BufferRef;
import dev.hiplab.bindings.EventRef;
import dev.hiplab.bindings.GateRef;
import dev.hiplab.bindings.KernelRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.function.Consumer;

/**
 * A command stream of one device. Calls put work in its queue and return; {@link #synchronize} or
 * reading a matrix waits. Work on one stream runs in order; different streams are ordered only by
 * {@link #record} and {@link #await}. Thread-safe.
 */
public sealed class Stream implements AutoCloseable permits DisposableStream {
  private final Device device;
  private final int id;
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;
  private final Captures captures = new Captures(this);

  /** The native stream. */
  static class Handle extends Lifetime {
    final StreamRef ref;

    Handle(String name, Owner owner, StreamRef ref) {
      super(name, owner);
      this.ref = ref;
    }

    @Override
    void drain() {
      Native.synchronizeStream(ref);
    }

    @Override
    void release() {
      Native.destroyStream(ref);
    }
  }

  Stream(Device device, int id) {
    this(device, id, false);
  }

  /** With {@code tracked}, a stream of the device's pool instead of one of its own. */
  Stream(Device device, int id, boolean tracked) {
    this.device = device;
    this.id = id;
    Backend backend = device.backend();
    BackendRef ref = backend.use();
    try {
      String name = "Stream " + id;
      handle =
          tracked
              ? new DisposableStream.Tracked(
                  name, backend.owner, Native.acquireStream(ref, device.index()))
              : new Handle(name, backend.owner, Native.createStream(ref, device.index()));
      cleanable = handle.watch(this);
    } finally {
      backend.done();
    }
  }

  /** Number within its backend, from 1. */
  public int id() {
    return id;
  }

  public Device device() {
    return device;
  }

  /**
   * A·B into a new matrix of {@link DType#result() the inputs' element type}, or bf16 for f8.
   * Enqueues and returns.
   */
  public Matrix matmul(Matrix a, Matrix b) {
    return matmul(Gemm.NN, a, b);
  }

  /** {@code alpha op(A) op(B)} into a new matrix. Enqueues and returns. */
  public Matrix matmul(Gemm spec, Matrix a, Matrix b) {
    GemmShape shape = GemmShape.of("matmul", spec, a, b);
    if (spec.beta() != 0) {
      throw new HiplabException(
          "matmul makes a new matrix, so beta must be 0, not "
              + spec.beta()
              + "; add to a matrix of yours with gemm(spec, a, b, c)");
    }
    requireHere("matmul", "a", a);
    requireHere("matmul", "b", b);
    Matrix c = device.empty(a.dtype().result(), shape.batch(), shape.m(), shape.n());
    try {
      enqueue("matmul", spec, shape, a, b, c);
    } catch (RuntimeException e) {
      c.close();
      throw e;
    }
    return c;
  }

  /** {@code C = alpha op(A) op(B) + beta C}. Enqueues and returns. */
  public void gemm(Gemm spec, Matrix a, Matrix b, Matrix c) {
    enqueue("gemm", spec, shape("gemm", spec, a, b, c), a, b, c);
  }

  /**
   * The GEMM with one of its candidates. Enqueues and returns.
   *
   * @param candidates of exactly this GEMM, type and device; they bring transposes, alpha and beta
   * @param index of one of them, as in its {@link Candidate#index}
   * @throws HiplabException also when the candidate's workspace cannot be had or the library
   *     refuses: no other algorithm or library takes over
   */
  public void gemm(Candidates candidates, int index, Matrix a, Matrix b, Matrix c) {
    Require.given(candidates, "gemm", "candidates");
    GemmShape shape = shape("gemm", candidates.spec(), a, b, c);
    candidates.requireFit("gemm", this, a.dtype(), shape);
    StreamRef ref = use();
    try (Operands operands = new Operands(a, b, c)) {
      try {
        captures.touches(a, false);
        captures.touches(b, false);
        captures.touches(c, true);
        candidates.enqueue(index, ref, operands);
      } catch (HiplabException e) {
        throw located("gemm", e);
      }
    } finally {
      handle.done();
    }
  }

  private void enqueue(String call, Gemm spec, GemmShape shape, Matrix a, Matrix b, Matrix c) {
    StreamRef ref = use();
    try (Operands operands = new Operands(a, b, c)) {
      try {
        captures.touches(a, false);
        captures.touches(b, false);
        captures.touches(c, true);
        Native.gemm(
            ref,
            a.dtype().code(),
            spec.transA(),
            spec.transB(),
            shape.m(),
            shape.n(),
            shape.k(),
            shape.batch(),
            spec.alpha(),
            operands.a,
            operands.b,
            spec.beta(),
            operands.c);
      } catch (HiplabException e) {
        throw located(call, e);
      }
    } finally {
      handle.done();
    }
  }

  /** The shape of a GEMM into an output that is there, with all three matrices on this device. */
  GemmShape shape(String call, Gemm spec, Matrix a, Matrix b, Matrix c) {
    GemmShape shape = GemmShape.of(call, spec, a, b);
    shape.requireOutput(call, a, b, c);
    requireHere(call, "a", a);
    requireHere(call, "b", b);
    requireHere(call, "c", c);
    return shape;
  }

  /**
   * {@code C = alpha op(A) op(B) + beta C} on the stream {@code on}, enqueued there by a host
   * callback of this one (hipLaunchHostFunc) when its work so far is done: as in mlxcel's async MoE
   * path, whose callback thread serves every stream (mlxcel 2200). Both may be one stream. Returns
   * at once.
   *
   * <p>C is not written before this stream has come by: synchronize it before reading C. Closing
   * {@code on} or one of the matrices waits for it too. What goes wrong in the callback has no
   * caller: {@link Backend#callbackErrors} tells it.
   *
   * @throws HiplabException as {@link #gemm} on {@code on} does, and when this stream captures,
   *     whose graph would call back at each launch
   */
  public void gemmInCallback(Stream on, Gemm spec, Matrix a, Matrix b, Matrix c) {
    CallbackGemm.enqueue(this, on, spec, a, b, c);
  }

  /** Fills a matrix with NaN (every byte 0xFF), so that output which nothing writes shows. */
  public void poison(Matrix matrix) {
    requireHere("poison", "the matrix", matrix);
    StreamRef ref = use();
    try {
      BufferRef buffer = matrix.use();
      try {
        captures.touches(matrix, true);
        Native.fillBytes(ref, buffer, 0xFF);
      } catch (HiplabException e) {
        throw located("poison", e);
      } finally {
        matrix.done();
      }
    } finally {
      handle.done();
    }
  }

  /** A grid of {@code grid} blocks of {@code block} threads, each in one direction. */
  public void launch(Kernel kernel, int grid, int block, Object... arguments) {
    launch(kernel, Extent.of(grid), Extent.of(block), arguments);
  }

  /**
   * Enqueues a kernel and returns; its first launch on a device compiles it. A matrix among the
   * arguments counts as written by this stream.
   *
   * @param arguments in the kernel's order: {@link Matrix} for a pointer to its elements, {@code
   *     int}, {@code long}, {@code float} and {@code double} for a parameter of exactly that type
   *     (C's {@code int}, {@code long long}, ...), which HIP cannot check
   * @throws HiplabException naming the position and class of another argument; with the compiler's
   *     log when the source does not compile
   */
  public void launch(Kernel kernel, Extent grid, Extent block, Object... arguments) {
    Require.given(kernel, "launch", "a kernel");
    String call = "launch of " + kernel.name();
    Require.given(grid, call, "an extent of the grid");
    Require.given(block, call, "an extent of the block");
    Require.given(arguments, call, "arguments");
    StreamRef ref = use();
    try (KernelArguments list = new KernelArguments(this, call, arguments)) {
      KernelRef code = kernel.use();
      try {
        list.touch();
        Native.launchKernel(
            ref, code, grid.x(), grid.y(), grid.z(), block.x(), block.y(), block.z(), list.ref());
      } catch (HiplabException e) {
        throw located(call, e);
      } finally {
        kernel.endUse();
      }
    } finally {
      handle.done();
    }
  }

  /** Waits for all work queued so far. */
  public void synchronize() {
    StreamRef ref = use();
    try {
      Native.synchronizeStream(ref);
    } catch (HiplabException e) {
      throw located("synchronize", e);
    } finally {
      handle.done();
    }
  }

  /** Whether all work queued so far is done. Does not wait. */
  public boolean idle() {
    StreamRef ref = use();
    try {
      return Native.streamIdle(ref);
    } catch (HiplabException e) {
      throw located("idle", e);
    } finally {
      handle.done();
    }
  }

  /** Marks this point of the queue. */
  public void record(Event event) {
    requireBackend("record", event);
    StreamRef ref = use();
    try {
      EventRef mark = event.use();
      try {
        Native.recordEvent(mark, ref);
        event.recorded(this, captures.current());
      } catch (HiplabException e) {
        throw located("record", e);
      } finally {
        event.endUse();
      }
    } finally {
      handle.done();
    }
  }

  /** Makes later work of this stream wait for the event, on the device; the host goes on. */
  public void await(Event event) {
    requireBackend("await", event);
    event.requireRecorded();
    StreamRef ref = use();
    try {
      EventRef mark = event.use();
      try {
        Native.waitEvent(ref, mark);
        captures.join(event.recordedIn());
      } catch (HiplabException e) {
        throw located("await", e);
      } finally {
        event.endUse();
      }
    } finally {
      handle.done();
    }
  }

  /**
   * Enqueues a host callback (hipLaunchHostFunc) that waits until the gate is open. Meanwhile later
   * work of this stream does not run, nor does any other host callback of the process.
   *
   * @throws HiplabException when this stream captures, whose graph would wait at each launch
   */
  public void waitAt(HostGate gate) {
    Require.given(gate, "waitAt", "a gate");
    if (gate.backend() != device.backend()) {
      throw new HiplabException(
          "waitAt on stream "
              + id
              + ": "
              + gate.name()
              + " belongs to another backend; use a gate of this stream's backend");
    }
    StreamRef ref = use();
    try {
      GateRef closed = gate.use();
      try {
        Native.waitAtGate(ref, closed);
      } catch (HiplabException e) {
        throw located("waitAt", e);
      } finally {
        gate.endUse();
      }
    } finally {
      handle.done();
    }
  }

  /**
   * Begins to capture what is enqueued here instead of running it, until {@link #endCapture}. A
   * stream that waits for an event recorded in the capture joins it. Meanwhile HIP refuses calls
   * that wait or allocate, as the mode says; reading a matrix that this stream wrote is such a
   * call.
   *
   * @throws HiplabException when the stream is capturing already
   */
  public void beginCapture(CaptureMode mode) {
    captures.begin(mode);
  }

  /**
   * What was enqueued since {@link #beginCapture}, as a graph. To be called by the thread that
   * began (HIP refuses another, unless the mode is relaxed, and the capture goes on) and on the
   * stream that it began on.
   *
   * @throws HiplabException when no capture began here, or it has been spoilt, which ends it, or
   *     the wrong thread asks
   */
  public Graph endCapture() {
    return captures.end();
  }

  /** Whether this stream captures. Does not disturb the capture. */
  public CaptureStatus captureStatus() {
    return captures.status();
  }

  /**
   * What hipBLASLt's heuristic offers for the GEMM of these matrices.
   *
   * @param requested how many candidates to ask for, at least 1
   * @param capBytes most workspace that a candidate may need, bytes
   * @return in the library's order; fewer than requested when it has no more
   */
  public List<Candidate> heuristics(Gemm spec, Matrix a, Matrix b, int requested, long capBytes) {
    GemmShape shape = GemmShape.of("heuristics", spec, a, b);
    return heuristics(
        spec, a.dtype(), shape.batch(), shape.m(), shape.n(), shape.k(), requested, capBytes);
  }

  /** The same for a GEMM of given sizes, without matrices: C is m x n, the sum runs over k. */
  public List<Candidate> heuristics(
      Gemm spec, DType dtype, int batch, int m, int n, int k, int requested, long capBytes) {
    Require.given(spec, "heuristics", "a Gemm");
    Require.given(dtype, "heuristics", "an element type");
    GemmShape shape = new GemmShape(batch, m, n, k);
    Heuristics.require("heuristics", shape, requested, capBytes);
    StreamRef ref = use();
    try {
      String lines = Heuristics.run(ref, spec, dtype, shape, requested, capBytes);
      return Heuristics.read(shape.label(dtype, spec), lines);
    } catch (HiplabException e) {
      throw located("heuristics", e);
    } finally {
      handle.done();
    }
  }

  /**
   * Measures candidates of the GEMM of these matrices on this stream, and keeps the fastest for
   * later GEMMs of this shape and device. Waits for the stream, on which nothing else should run
   * meanwhile, or the times are of that too.
   *
   * @param spec its transposes; alpha and beta play no part
   * @param c of the output's shape; it is not written
   * @param requested how many candidates to ask for, at least 1
   * @param repetitions GEMMs of each candidate that are timed, at least 1
   * @return in the library's order; exactly one is chosen
   * @throws HiplabException when no candidate could be measured, hipBLASLt has no GEMM of this
   *     type, or the stream captures
   */
  public List<Tuned> tune(Gemm spec, Matrix a, Matrix b, Matrix c, int requested, int repetitions) {
    GemmShape shape = shape("tune", spec, a, b, c);
    StreamRef ref = use();
    try {
      String lines = Tuning.run(ref, spec, shape, a, b, c, requested, repetitions);
      return Tuning.read(shape.label(a.dtype(), spec), lines);
    } catch (HiplabException e) {
      throw located("tune", e);
    } finally {
      handle.done();
    }
  }

  /**
   * Host to device in this stream's order; the copy is made when it returns. The native layer
   * cannot see how long an array is: here and in {@link #copyOut} the count is the array's own
   * length, which it checks against the buffer.
   */
  void copyIn(Matrix matrix, float[] values) {
    StreamRef ref = use();
    try {
      BufferRef buffer = matrix.use();
      try {
        Native.copyIn(ref, buffer, values, values.length, matrix.dtype().code());
      } catch (HiplabException e) {
        throw located("copy to " + matrix.label(), e);
      } finally {
        matrix.done();
      }
    } finally {
      handle.done();
    }
  }

  /** Device to host in this stream's order; waits for this stream only. The caller holds source. */
  void copyOut(BufferRef source, float[] values, Matrix matrix) {
    use();
    copyOutAndEnd(source, values, matrix);
  }

  /** The same; false, after the close has ended, when this stream is closed. */
  boolean copyOutIfOpen(BufferRef source, float[] values, Matrix matrix) {
    while (!handle.tryUse()) {
      handle.awaitGone();
      if (handle.isGone()) {
        return false;
      }
    }
    copyOutAndEnd(source, values, matrix);
    return true;
  }

  private void copyOutAndEnd(BufferRef source, float[] values, Matrix matrix) {
    try {
      Native.copyOut(handle.ref, source, values, values.length, matrix.dtype().code());
    } catch (HiplabException e) {
      throw located("copy from " + matrix.label(), e);
    } finally {
      handle.done();
    }
  }

  /** For printing: a stream whose close has begun counts as pending until it has ended. */
  boolean idleOrClosed() {
    if (!handle.tryUse()) {
      return handle.isGone();
    }
    try {
      // A query would spoil the capture.
      return captures.current() == null && Native.streamIdle(handle.ref);
    } finally {
      handle.done();
    }
  }

  StreamRef use() {
    handle.use();
    return handle.ref;
  }

  void endUse() {
    handle.done();
  }

  /** A use that this stream's work will make, in a callback: its end waits for this stream. */
  void willUse(Lifetime used) {
    used.usedBehind(handle);
  }

  Lifetime lifetime() {
    return handle;
  }

  void touches(Matrix matrix, boolean writes) {
    captures.touches(matrix, writes);
  }

  HiplabException located(String call, HiplabException e) {
    return new HiplabException(
        call + " on stream " + id + " of device " + device.index() + ": " + e.getMessage(), e);
  }

  void requireHere(String call, String what, Matrix matrix) {
    Require.given(matrix, call, "a matrix");
    if (matrix.device() != device) {
      throw new HiplabException(
          call
              + " on stream "
              + id
              + ": "
              + what
              + " ("
              + matrix.label()
              + ") is on "
              + where(matrix.device())
              + ", this stream on device "
              + device.index()
              + "; make it there with device.matrix(...)");
    }
  }

  private void requireBackend(String call, Event event) {
    Require.given(event, call, "an event");
    if (event.device().backend() != device.backend()) {
      throw new HiplabException(
          call
              + " on stream "
              + id
              + ": Event "
              + event.id()
              + " belongs to another backend; use an event of this stream's device");
    }
  }

  private String where(Device other) {
    return "device "
        + other.index()
        + (other.backend() == device.backend() ? "" : " of another backend");
  }

  /**
   * Ends this stream by another call than its close. If it throws, the stream stays open.
   *
   * @return false when it is closed already
   */
  final boolean endBy(Consumer<StreamRef> call) {
    boolean ended = handle.closeBy(() -> call.accept(handle.ref));
    captures.discard();
    cleanable.clean();
    return ended;
  }

  /** Waits for the queue, then frees the stream and its workspace. */
  @Override
  public void close() {
    try {
      handle.close();
    } finally {
      captures.discard();
      cleanable.clean();
    }
  }

  @Override
  public String toString() {
    if (handle.isClosed()) {
      return handle.name() + " (closed)";
    }
    try {
      String state = captures.current() != null ? "capturing" : idle() ? "idle" : "busy";
      return handle.name() + " on device " + device.index() + " (" + state + ")";
    } catch (HiplabException e) {
      return handle.name() + " (lost: " + e.getMessage() + ")";
    }
  }
}
