package dev.hiplab.measure;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;

/**
 * The shape of a GEMM, row-major: op(A) is m x k, op(B) is k x n, C is m x n. Immutable.
 *
 * @param dtype element type of A and B; C has its {@link DType#result}
 * @param spec the transposes; alpha is 1 and beta 0, whatever was given
 * @param batch matrices of each operand, at least 1
 * @param m rows of C
 * @param n columns of C
 * @param k length of the sums
 */
public record Problem(DType dtype, Gemm spec, int batch, int m, int n, int k) {
  public Problem {
    if (dtype == null || spec == null) {
      throw new HiplabException("a problem needs an element type and a Gemm, not null");
    }
    if (batch < 1 || m < 1 || n < 1 || k < 1) {
      throw new HiplabException(
          "a problem needs sizes of at least 1, not batch "
              + batch
              + ", m "
              + m
              + ", n "
              + n
              + ", k "
              + k);
    }
    spec = spec.withAlpha(1).withBeta(0);
  }

  /** A problem without a batch. */
  public static Problem of(DType dtype, Gemm spec, int m, int n, int k) {
    return new Problem(dtype, spec, 1, m, n, k);
  }

  /**
   * Reads a text: ours, row-major, such as {@code bf16 1x4096x4096 NT} or with a batch {@code bf16
   * 4x64x64x64 NT}; or BLAS's, column-major with the transposes first, such as {@code bf16 TN
   * [4096,1]x4096} or {@code f32 NN 256x256x256}.
   *
   * @throws HiplabException naming the text, what is wrong with it, and what is allowed
   */
  public static Problem of(String text) {
    return ProblemText.read(text);
  }

  /** Ours: {@code bf16 4x64x64x128 NT}; as {@link dev.hiplab.Candidate#shape}. */
  public String label() {
    String sizes = m + "x" + n + "x" + k;
    return dtype + " " + (batch == 1 ? "" : batch + "x") + sizes + " " + spec.label();
  }

  /**
   * As BLAS counts it: {@code bf16 TN [11008,512]x4096}, the brackets where its first operand is
   * transposed.
   */
  public String blasText() {
    ColumnMajor blas = columnMajor();
    String c = blas.m() + (blas.transA() ? "," : "x") + blas.n();
    return dtype
        + " "
        + blas.transposes()
        + " "
        + (batch == 1 ? "" : batch + "x")
        + (blas.transA() ? "[" + c + "]" : c)
        + "x"
        + k;
  }

  /** The same GEMM as a column-major library is called for it. */
  public ColumnMajor columnMajor() {
    return ColumnMajor.of(this);
  }

  /** Multiplications with an addition each: batch m n k. */
  public long multiplyAdds() {
    return (long) batch * m * n * k;
  }

  /** Rows of A as it is stored. */
  public int rowsA() {
    return spec.transA() ? k : m;
  }

  /** Columns of A as it is stored. */
  public int colsA() {
    return spec.transA() ? m : k;
  }

  /** Rows of B as it is stored. */
  public int rowsB() {
    return spec.transB() ? n : k;
  }

  /** Columns of B as it is stored. */
  public int colsB() {
    return spec.transB() ? k : n;
  }

  /** What is wrong when a matrix of it has more elements than a Java array; else empty. */
  String tooLarge() {
    String a = tooLarge("A", rowsA(), colsA());
    String b = tooLarge("B", rowsB(), colsB());
    return !a.isEmpty() ? a : !b.isEmpty() ? b : tooLarge("C", m, n);
  }

  private String tooLarge(String name, int rows, int cols) {
    boolean fits = (long) rows * cols <= Integer.MAX_VALUE / batch;
    return fits
        ? ""
        : "not asked: "
            + name
            + " of "
            + rows
            + "x"
            + cols
            + (batch == 1 ? "" : ", " + batch + " times,")
            + " has more elements than the "
            + Integer.MAX_VALUE
            + " that a Java array can hold; use a smaller one, or ask the heuristic only";
  }

  /** The {@link #label}. */
  @Override
  public String toString() {
    return label();
  }
}
