package dev.hiplab;

import dev.hiplab.bindings.GraphRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Work captured from a stream, launched as one piece, again and again, each time on what its
 * matrices hold then:
 *
 * <pre>{@code
 * stream.gemm(Gemm.NN, a, b, c);             // once outside: handles and workspace are made here
 * stream.synchronize();
 * stream.beginCapture(CaptureMode.THREAD_LOCAL);
 * stream.gemm(Gemm.NN, a, b, c);             // nothing runs yet
 * try (Graph graph = stream.endCapture()) {
 *   graph.launch(stream);
 *   System.out.println(c);
 * }
 * }</pre>
 *
 * <p>The matrices that it was captured with must be open when it is launched: {@link #launch} looks
 * and says which one is not. The graph keeps them reachable, so that forgetting one does not free
 * it; closing one is allowed at any time, and waits for launches that run. A GEMM in a capture
 * needs a {@code c} of yours, as {@code matmul} allocates.
 *
 * <p>It may outlive the stream that it was captured on. Its launches run one after another, those
 * of two graphs at once. Thread-safe.
 */
public final class Graph implements AutoCloseable {
  private final Device device;
  private final int id;
  private final Map<Matrix, Boolean> matrices; // and whether the work writes it; not changed
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;

  private static final class Handle extends Lifetime {
    final GraphRef ref;

    Handle(String name, Owner owner, GraphRef ref) {
      super(name, owner);
      this.ref = ref;
    }

    @Override
    void release() {
      Native.destroyGraph(ref);
    }
  }

  Graph(Device device, int id, GraphRef ref, Map<Matrix, Boolean> matrices) {
    this.device = device;
    this.id = id;
    this.matrices = matrices;
    handle = new Handle("Graph " + id, device.backend().owner, ref);
    cleanable = handle.watch(this);
  }

  /** Number within its backend, from 1. */
  public int id() {
    return id;
  }

  public Device device() {
    return device;
  }

  /** The matrices that its work uses, in the order of their first use. */
  public List<Matrix> matrices() {
    return Collections.unmodifiableList(new ArrayList<>(matrices.keySet()));
  }

  /**
   * Enqueues all of it on a stream of its device and returns.
   *
   * @throws HiplabException when one of its matrices is closed; nothing is enqueued then
   */
  public void launch(Stream stream) {
    launch(stream, true);
  }

  /**
   * The same without the look at its matrices: work on one that is closed goes to memory that has
   * been freed. On the software device a fill of such memory faults the device, as a queue fault
   * does (mlxcel 1804): every later call of this process fails with hipErrorIllegalAddress. For
   * workloads that are about this, in a process of their own.
   */
  public void launchUnchecked(Stream stream) {
    launch(stream, false);
  }

  private void launch(Stream stream, boolean checked) {
    Require.given(stream, "launch of " + handle.name(), "a stream");
    StreamRef ref = stream.use();
    List<Matrix> held = new ArrayList<>(matrices.size());
    try {
      handle.use();
      try {
        hold(stream, checked, held);
        for (Matrix matrix : held) {
          stream.touches(matrix, matrices.get(matrix));
        }
        Native.launchGraph(handle.ref, ref);
      } catch (HiplabException e) {
        throw stream.located("launch of " + handle.name(), e);
      } finally {
        held.forEach(Matrix::done);
        handle.done();
      }
    } finally {
      stream.endUse();
    }
  }

  // Until the launch is enqueued; a close of one of them then waits for the device.
  private void hold(Stream stream, boolean checked, List<Matrix> held) {
    for (Matrix matrix : matrices.keySet()) {
      if (matrix.tryUse()) {
        held.add(matrix);
      } else if (checked) {
        throw new HiplabException(
            matrix.label()
                + ", which it was captured with, is closed; keep its matrices open while it is"
                + " launched, or capture it again with others");
      }
    }
  }

  /** Returns when it is destroyed; if its GEMMs use a workspace, that waits for the device. */
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
    return handle.name()
        + " on device "
        + device.index()
        + (handle.isClosed() ? " (closed)" : " (" + matrices.size() + " matrices)");
  }
}
