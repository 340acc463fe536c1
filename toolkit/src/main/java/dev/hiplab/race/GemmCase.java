package dev.hiplab.race;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;

/**
 * One GEMM that every thread repeats, with integer inputs so that its output is known exactly.
 *
 * @param type element type of inputs and output
 * @param spec {@link Gemm#NN} or {@link Gemm#NT}
 * @param batch matrices in the batch, 1 or more
 * @param m rows of the output
 * @param n columns of the output
 * @param k length of the sums
 * @param range inputs are integers in {@code -range..range}
 */
record GemmCase(DType type, Gemm spec, int batch, int m, int n, int k, int range) {
  GemmCase {
    if (k * range * range >= 1 << 15) {
      throw new HiplabException(
          "k "
              + k
              + " with inputs up to "
              + range
              + " makes sums up to "
              + k * range * range
              + "; the host's reference holds less than 32768");
    }
  }

  boolean transposesB() {
    return spec.transB();
  }

  int rowsB() {
    return transposesB() ? n : k;
  }

  int colsB() {
    return transposesB() ? k : n;
  }

  String text() {
    String shape = m + "x" + n + "x" + k;
    return type + (batch > 1 ? " batch " + batch + " " : " ") + shape;
  }
}
