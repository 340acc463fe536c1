package dev.hiplab;

import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;

/** A GEMM that one stream's host callback enqueues on another stream. */
final class CallbackGemm {
  private static final String CALL = "gemmInCallback";

  private CallbackGemm() {}

  static void enqueue(Stream after, Stream on, Gemm spec, Matrix a, Matrix b, Matrix c) {
    Require.given(on, CALL, "a stream for the GEMM");
    if (on.device().backend() != after.device().backend()) {
      throw new HiplabException(
          CALL
              + " on stream "
              + after.id()
              + ": stream "
              + on.id()
              + " for the GEMM belongs to another backend; use one of this stream's backend");
    }
    GemmShape shape = on.shape(CALL, spec, a, b, c);
    StreamRef callback = after.use();
    try {
      StreamRef target = on.use();
      try (Operands operands = new Operands(a, b, c)) {
        enqueue(after, callback, on, target, spec, shape, a, b, c, operands);
      } finally {
        on.endUse();
      }
    } finally {
      after.endUse();
    }
  }

  // Streams and matrices in use.
  private static void enqueue(
      Stream after,
      StreamRef callback,
      Stream on,
      StreamRef target,
      Gemm spec,
      GemmShape shape,
      Matrix a,
      Matrix b,
      Matrix c,
      Operands operands) {
    try {
      // The callback's uses come when nobody counts them.
      after.willUse(on.lifetime());
      after.willUse(a.lifetime());
      after.willUse(b.lifetime());
      after.willUse(c.lifetime());
      on.touches(a, false);
      on.touches(b, false);
      on.touches(c, true);
      Native.gemmInCallback(
          callback,
          target,
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
      throw after.located(CALL, e);
    }
  }
}
