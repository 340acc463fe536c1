package dev.hiplab;

import dev.hiplab.bindings.CandidatesRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Asks for the candidates of a GEMM, and reads the table that the native layer makes of them. */
final class Heuristics {
  private static final int FIELDS = 5;

  private Heuristics() {}

  /**
   * What a caller may ask for.
   *
   * @throws HiplabException naming the numbers that are out of range
   */
  static void require(String call, GemmShape shape, int requested, long capBytes) {
    if (requested < 1 || capBytes < 0) {
      throw new HiplabException(
          call
              + " needs at least 1 candidate and a cap of at least 0 bytes, not "
              + requested
              + " and "
              + capBytes);
    }
    if (shape.batch() < 1 || shape.m() < 1 || shape.n() < 1 || shape.k() < 1) {
      throw new HiplabException(
          call
              + " needs sizes of at least 1, not m "
              + shape.m()
              + ", n "
              + shape.n()
              + ", k "
              + shape.k()
              + ", batch "
              + shape.batch());
    }
  }

  /** What the table's lines and the candidates themselves are made from. */
  static CandidatesRef query(
      StreamRef stream, Gemm spec, DType dtype, GemmShape shape, int requested, long capBytes) {
    return Native.queryCandidates(
        stream,
        dtype.code(),
        spec.transA(),
        spec.transB(),
        shape.m(),
        shape.n(),
        shape.k(),
        shape.batch(),
        requested,
        capBytes);
  }

  /** The table's lines. The caller holds the stream. */
  static String run(
      StreamRef stream, Gemm spec, DType dtype, GemmShape shape, int requested, long capBytes) {
    CandidatesRef found = query(stream, spec, dtype, shape, requested, capBytes);
    try {
      return Native.candidateLines(found);
    } finally {
      Native.destroyCandidates(found);
    }
  }

  /**
   * Lines of {@code index workspaceBytes waves solution name}; none when there is no candidate.
   *
   * @throws HiplabException naming a line that is not understood
   */
  static List<Candidate> read(String shape, String lines) {
    List<Candidate> found = new ArrayList<>();
    if (!lines.isEmpty()) {
      for (String line : lines.split("\n")) {
        found.add(candidate(shape, fields("heuristics", line, FIELDS)));
      }
    }
    return Collections.unmodifiableList(found);
  }

  /** A line's fields, that many; the last may hold blanks. */
  static String[] fields(String call, String line, int count) {
    String[] fields = line.split(" ", count);
    if (fields.length < count) {
      throw new HiplabException(
          call + ": \"" + line + "\" is no line of " + count + " fields of the native layer");
    }
    return fields;
  }

  /** The candidate that a line's first five fields are. */
  static Candidate candidate(String shape, String[] fields) {
    return new Candidate(
        shape,
        Integer.parseInt(fields[0]),
        Long.parseLong(fields[1]),
        Float.parseFloat(fields[2]),
        Integer.parseInt(fields[3]),
        fields[4].equals("-") ? "" : fields[4]);
  }
}
