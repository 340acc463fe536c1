package dev.hiplab.measure;

import dev.hiplab.Gemm;

/**
 * A row-major GEMM as a column-major library is called for it. A row-major matrix is the transpose
 * of the column-major one in the same memory, so that the library computes the transpose of C, from
 * B and A in that order: its A is our B, its m our n.
 *
 * @param transA whether the library's A, our B, is transposed
 * @param transB whether the library's B, our A, is transposed
 * @param m rows of the library's C
 * @param n columns of the library's C
 * @param k length of the sums
 * @param batch matrices of each operand
 */
public record ColumnMajor(boolean transA, boolean transB, int m, int n, int k, int batch) {
  static ColumnMajor of(Problem problem) {
    Gemm spec = problem.spec();
    return new ColumnMajor(
        spec.transB(), spec.transA(), problem.n(), problem.m(), problem.k(), problem.batch());
  }

  /** Such as {@code TN}. */
  public String transposes() {
    return letter(transA) + letter(transB);
  }

  /** {@code T} or {@code N}. */
  static String letter(boolean transposed) {
    return transposed ? "T" : "N";
  }

  /** Leading dimension of A: the rows of a column as it is stored. */
  public int lda() {
    return transA ? k : m;
  }

  public int ldb() {
    return transB ? n : k;
  }

  /** Leading dimension of C and D. */
  public int ldc() {
    return m;
  }

  /** Elements from a matrix of the batch to the next. */
  public long strideA() {
    return (long) m * k;
  }

  public long strideB() {
    return (long) k * n;
  }

  /** Of C and D. */
  public long strideC() {
    return (long) m * n;
  }
}
