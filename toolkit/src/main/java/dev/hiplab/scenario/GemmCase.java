package dev.hiplab.scenario;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;

/**
 * One GEMM that every thread repeats, with integer inputs so that its output is known exactly.
 *
 * @param type element type of the inputs; the output has its {@link DType#result}
 * @param spec {@link Gemm#NN} or {@link Gemm#NT}
 * @param batch matrices in the batch, 1 or more
 * @param m rows of the output
 * @param n columns of the output
 * @param k length of the sums
 * @param range inputs are integers in {@code -range..range}
 */
public record GemmCase(DType type, Gemm spec, int batch, int m, int n, int k, int range) {
  public GemmCase {
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

  /** Whether op(B) is the transpose. */
  public boolean transposesB() {
    return spec.transB();
  }

  /** Rows of B as it is stored. */
  public int rowsB() {
    return transposesB() ? n : k;
  }

  /** Columns of B as it is stored. */
  public int colsB() {
    return transposesB() ? k : n;
  }

  /** {@code bf16 64x64x64}. */
  public String text() {
    String shape = m + "x" + n + "x" + k;
    return type + (batch > 1 ? " batch " + batch + " " : " ") + shape;
  }
}
