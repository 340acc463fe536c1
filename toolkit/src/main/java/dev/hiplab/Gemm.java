package dev.hiplab;

/**
 * What a GEMM computes: {@code C = alpha op(A) op(B) + beta C}, row-major, where {@code op} is the
 * transpose or nothing. Immutable; sizes come from the matrices.
 *
 * @param transA whether A is read transposed
 * @param transB whether B is read transposed
 * @param alpha factor of the product
 * @param beta factor of what C held before; 0 means that C is not read
 */
public record Gemm(boolean transA, boolean transB, float alpha, float beta) {
  /** A·B. */
  public static final Gemm NN = new Gemm(false, false, 1, 0);

  /** A·Bᵀ. */
  public static final Gemm NT = new Gemm(false, true, 1, 0);

  /** Aᵀ·B. */
  public static final Gemm TN = new Gemm(true, false, 1, 0);

  /** Aᵀ·Bᵀ. */
  public static final Gemm TT = new Gemm(true, true, 1, 0);

  public Gemm withTransA(boolean value) {
    return new Gemm(value, transB, alpha, beta);
  }

  public Gemm withTransB(boolean value) {
    return new Gemm(transA, value, alpha, beta);
  }

  public Gemm withAlpha(float value) {
    return new Gemm(transA, transB, value, beta);
  }

  public Gemm withBeta(float value) {
    return new Gemm(transA, transB, alpha, value);
  }

  /** The transposes in BLAS's short form, such as {@code NT}. */
  public String label() {
    return (transA ? "T" : "N") + (transB ? "T" : "N");
  }

  @Override
  public String toString() {
    return "Gemm." + label() + " (alpha " + alpha + ", beta " + beta + ")";
  }
}
