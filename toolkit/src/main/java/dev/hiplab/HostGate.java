package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.GateRef;
import dev.hiplab.bindings.Native;
import java.lang.ref.Cleaner;

/**
 * A gate that a host callback waits at (MIOpen 12265). {@link Stream#waitAt} puts such a callback
 * on a stream; until {@link #open}, everything behind it stands still, and so does every other host
 * callback of the process, as HIP runs them one at a time.
 *
 * <p>Closed at first, and once open for good. Whoever waits for a stream that stands at the gate
 * (synchronizing or closing it, closing a matrix or an event) waits until another thread opens it.
 * Thread-safe.
 */
public final class HostGate implements AutoCloseable {
  private final Backend backend;
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;

  private static final class Handle extends Lifetime {
    final GateRef ref;

    Handle(String name, Owner owner, GateRef ref) {
      super(name, owner);
      this.ref = ref;
    }

    @Override
    void release() {
      Native.destroyGate(ref);
    }

    // The backend closes its streams afterwards, and these wait for what stands at the gate.
    @Override
    boolean endsFirst() {
      return true;
    }
  }

  HostGate(Backend backend, int id) {
    this.backend = backend;
    BackendRef open = backend.use(); // so that it does not close before it owns the gate
    try {
      handle = new Handle("HostGate " + id, backend.owner, Native.createGate());
      cleanable = handle.watch(this);
    } finally {
      backend.done();
    }
  }

  /** Lets through what waits here, now and later. Opening an open gate does nothing. */
  public void open() {
    GateRef ref = use();
    try {
      Native.openGate(ref);
    } finally {
      endUse();
    }
  }

  /** Whether a stream has come to the gate, if only to pass it. */
  public boolean reached() {
    GateRef ref = use();
    try {
      return Native.gateReached(ref);
    } finally {
      endUse();
    }
  }

  Backend backend() {
    return backend;
  }

  String name() {
    return handle.name();
  }

  GateRef use() {
    handle.use();
    return handle.ref;
  }

  void endUse() {
    handle.done();
  }

  /** Opens it first. A stream that has not come to it yet will pass. */
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
    return handle.name() + (handle.isClosed() ? " (closed)" : reached() ? " (reached)" : "");
  }
}
