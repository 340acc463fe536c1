package dev.hiplab;

import java.util.Arrays;
import java.util.List;

/**
 * A row of A whose sum is known: its terms and then zeros, or its terms over and over.
 *
 * @param gfx11 what gfx11 leaves beside the exact sum in f32, before an output is rounded (mlxcel
 *     2206, rocm-systems 12056)
 */
record ResiduePattern(boolean repeated, double gfx11, float... terms) {
  /** Length of the rows: that of the source's bf16 GEMM. */
  static final int LENGTH = 64;

  /**
   * The table of one matrix instruction, C = 0, against ones; then the two rows that the source
   * found exact through the libraries.
   */
  static final List<ResiduePattern> TABLE =
      List.of(
          new ResiduePattern(false, -0x1p-24, 1, -1),
          new ResiduePattern(false, -0x1p-24, -1, 1),
          new ResiduePattern(false, -0x1p-23, 2, -2),
          new ResiduePattern(false, -0x1p-21, 8, -8),
          new ResiduePattern(false, -0x1p-25, 0.5f, -0.5f),
          new ResiduePattern(false, -3 * 0x1p-24, 2, -1, -1),
          new ResiduePattern(false, -0x1p-23, 1, 2, -3),
          new ResiduePattern(false, 0, 1, -1, 1, -1),
          new ResiduePattern(false, 0, 2),
          new ResiduePattern(false, 0, -1),
          new ResiduePattern(true, 0, -2, -1, 1, 2),
          new ResiduePattern(true, 0, -1, 0, 1));

  float at(int k) {
    return repeated ? terms[k % terms.length] : k < terms.length ? terms[k] : 0;
  }

  double sum() {
    double sum = 0;
    for (int k = 0; k < LENGTH; k++) {
      sum += at(k);
    }
    return sum;
  }

  double magnitude() {
    double sum = 0;
    for (int k = 0; k < LENGTH; k++) {
      sum += Math.abs(at(k));
    }
    return sum;
  }

  /** The residue in an output of that type. f16 has no value between 0 and 2^-24. */
  double gfx11(DType result) {
    return result == DType.F16 ? Math.rint(gfx11 * 0x1p24) * 0x1p-24 : gfx11;
  }

  /** {@code [1,-1]}; with a star, {@code [-1,0,1]*}, where the terms come again. */
  String text() {
    String text = Arrays.toString(terms).replace(".0", "").replace(" ", "");
    return repeated ? text + "*" : text;
  }
}
