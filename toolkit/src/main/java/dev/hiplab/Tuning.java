package dev.hiplab;

import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Tunes a GEMM, and reads the table that the native layer makes of it. */
final class Tuning {
  private static final int FIELDS = 10;

  private Tuning() {}

  /** The table's lines. Holds the operands open meanwhile; the caller holds the stream. */
  static String run(
      StreamRef stream,
      Gemm spec,
      GemmShape shape,
      Matrix a,
      Matrix b,
      Matrix c,
      int requested,
      int repetitions) {
    try (Operands operands = new Operands(a, b, c)) {
      return Native.tune(
          stream,
          a.dtype().code(),
          spec.transA(),
          spec.transB(),
          shape.m(),
          shape.n(),
          shape.k(),
          shape.batch(),
          operands.a,
          operands.b,
          operands.c,
          requested,
          repetitions);
    }
  }

  /**
   * Lines of {@code index workspaceBytes waves solution name medianMs lowerMs upperMs chosen
   * skipped}, where the last is a sentence or nothing.
   *
   * @throws HiplabException naming a line that is not understood
   */
  static List<Tuned> read(String shape, String lines) {
    List<Tuned> all = new ArrayList<>();
    for (String line : lines.split("\n")) {
      String[] fields = Heuristics.fields("tune", line, FIELDS);
      Candidate candidate = Heuristics.candidate(shape, fields);
      double median = Double.parseDouble(fields[5]);
      all.add(
          median < 0
              ? Tuned.skipped(candidate, fields[9])
              : new Tuned(
                  candidate,
                  median,
                  Double.parseDouble(fields[6]),
                  Double.parseDouble(fields[7]),
                  fields[8].equals("1"),
                  fields[9]));
    }
    return Collections.unmodifiableList(all);
  }
}
