package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.TuneRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Tunes a GEMM on disposable streams of a device, candidate by candidate (MIOpen 12265). */
final class BoundedTuning {
  private BoundedTuning() {}

  static TuneResult run(
      Gemm spec, Device device, DType dtype, int m, int n, int k, TuneOptions options) {
    Require.given(device, "tune", "a device");
    Require.given(dtype, "tune", "an element type");
    Require.given(options, "tune", "options");
    GemmShape shape = new GemmShape(options.batch(), m, n, k);
    Heuristics.require("tune", shape, options.candidates(), options.capBytes());
    String label = shape.label(dtype, spec);
    long begin = System.nanoTime();
    BackendRef backend = device.backend().use();
    try {
      TuneRef tune = begin(backend, spec, device, dtype, shape, options);
      try {
        List<Tuned> rows = measure(tune, label);
        int winner = Native.keepFastest(tune);
        rows.set(winner, rows.get(winner).asChosen());
        return new TuneResult(
            dtype,
            spec.withAlpha(1).withBeta(0),
            m,
            n,
            k,
            device.toString(),
            TunedOn.of(device),
            options,
            Collections.unmodifiableList(rows),
            Duration.ofNanos(System.nanoTime() - begin));
      } finally {
        Native.endTune(tune);
      }
    } catch (HiplabException e) {
      throw new HiplabException(
          "tune of " + label + " on device " + device.index() + ": " + text(e), e);
    } finally {
      device.backend().done();
    }
  }

  private static TuneRef begin(
      BackendRef backend,
      Gemm spec,
      Device device,
      DType dtype,
      GemmShape shape,
      TuneOptions options) {
    return Native.beginTune(
        backend,
        device.index(),
        dtype.code(),
        spec.transA(),
        spec.transB(),
        shape.m(),
        shape.n(),
        shape.k(),
        shape.batch(),
        options.candidates(),
        options.repetitions(),
        options.bound().toNanos(),
        options.capBytes());
  }

  /** Every candidate; an interrupt is heeded between two. */
  private static List<Tuned> measure(TuneRef tune, String label) {
    List<Tuned> rows = new ArrayList<>();
    while (true) {
      if (Thread.currentThread().isInterrupted()) {
        throw new HiplabException(
            "interrupted after " + rows.size() + " candidates; no winner was kept");
      }
      String line = Native.tuneNext(tune);
      if (line.isEmpty()) {
        return rows;
      }
      rows.addAll(Tuning.read(label, line));
    }
  }

  /** The native layer begins its own sentences with the name of the call. */
  private static String text(HiplabException e) {
    String message = String.valueOf(e.getMessage());
    return message.startsWith("tune: ") ? message.substring("tune: ".length()) : message;
  }
}
