package dev.hiplab;

import dev.hiplab.bindings.CandidatesRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;
import java.lang.ref.Cleaner;
import java.util.List;

/**
 * What hipBLASLt's heuristic offers for one GEMM on a device, to be run one by one with {@link
 * Stream#gemm(Candidates, int, Matrix, Matrix, Matrix)}. Thread-safe; calls on the same candidates
 * take turns, as hipblasLtMatmul writes their descriptor (mlxcel 2208).
 */
public final class Candidates implements AutoCloseable {
  private final Device device;
  private final Gemm spec;
  private final DType dtype;
  private final GemmShape shape;
  private final List<Candidate> list;
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;

  private static final class Handle extends Lifetime {
    final CandidatesRef ref;

    Handle(String name, Owner owner, CandidatesRef ref) {
      super(name, owner);
      this.ref = ref;
    }

    @Override
    void release() {
      Native.destroyCandidates(ref);
    }
  }

  Candidates(Device device, Gemm spec, DType dtype, GemmShape shape, CandidatesRef ref) {
    this.device = device;
    this.spec = spec;
    this.dtype = dtype;
    this.shape = shape;
    String label = shape.label(dtype, spec);
    handle = new Handle("Candidates of " + label, device.backend().owner, ref);
    cleanable = handle.watch(this);
    list = Heuristics.read(label, Native.candidateLines(ref));
  }

  /** In the library's order; empty when it has none. */
  public List<Candidate> list() {
    return list;
  }

  public Device device() {
    return device;
  }

  Gemm spec() {
    return spec;
  }

  /**
   * Looks whether they are for such a GEMM on such a stream.
   *
   * @throws HiplabException naming what does not fit
   */
  void requireFit(String call, Stream stream, DType type, GemmShape wanted) {
    if (stream.device() != device) {
      throw new HiplabException(
          call
              + ": "
              + handle.name()
              + " are of another device than stream "
              + stream.id()
              + "; ask that stream's device for candidates");
    }
    if (type != dtype || !wanted.equals(shape)) {
      throw new HiplabException(
          call
              + ": "
              + handle.name()
              + " do not fit a GEMM of "
              + wanted.label(type, spec)
              + "; ask for candidates of that one");
    }
  }

  /** Enqueues one. The caller holds the stream and the operands, and has looked at both. */
  void enqueue(int index, StreamRef stream, Operands operands) {
    handle.use();
    try {
      Native.gemmWith(
          handle.ref, index, stream, spec.alpha(), operands.a, operands.b, spec.beta(), operands.c);
    } finally {
      handle.done();
    }
  }

  /** Work that is queued still runs. */
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
    return handle.name() + ": " + list.size() + (handle.isClosed() ? " (closed)" : "");
  }
}
