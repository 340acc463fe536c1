package dev.hiplab.findings;

import dev.hiplab.Backend;
import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Trial;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The end of an encoder that needs its own registry (mlxcel 2197): clearing ends it, the wait for
 * its stream fails, and to record that error its destructor looks its device and the encoders up.
 *
 * <p>On a backend of its own, in the form under test, whose first hipStreamSynchronize is failed by
 * the driver. A thread that never comes back from it is left behind with that backend.
 */
final class EncoderEnd {
  private static final String FAIL = "hipStreamSynchronize#1:719"; // hipErrorLaunchFailure

  // Far above what a clear takes, far below the deadline of a run.
  private static final long BOUND_MILLIS = 10_000;

  // A cleaner would close a backend that a thread is inside of.
  private static Backend leftBehind;

  private EncoderEnd() {}

  /**
   * Whether a clear with such an encoder ends within the bound.
   *
   * @throws HiplabException what the clear threw
   */
  static boolean ends(Trial trial) throws InterruptedException {
    Backend backend = Backend.open(trial.backend().options().withFailCall(FAIL));
    leftBehind = backend;
    Stream stream = backend.device(0).stream();
    try (Matrix c = backend.device(0).empty(DType.F32, 8, 8);
        Matrix a = backend.device(0).empty(DType.F32, 8, 8);
        Matrix b = backend.device(0).empty(DType.F32, 8, 8)) {
      stream.gemm(Gemm.NN, a, b, c); // makes the stream's encoder
      AtomicReference<HiplabException> thrown = new AtomicReference<>();
      Thread clearing = new Thread(() -> clear(backend, thrown), "clearing");
      clearing.setDaemon(true);
      clearing.start();
      clearing.join(BOUND_MILLIS);
      if (clearing.isAlive()) {
        return false;
      }
      if (thrown.get() != null) {
        throw thrown.get();
      }
    }
    backend.close();
    leftBehind = null;
    return true;
  }

  private static void clear(Backend backend, AtomicReference<HiplabException> thrown) {
    try {
      backend.clearStreams();
    } catch (HiplabException e) {
      thrown.set(e);
    }
  }
}
