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

  /**
   * Measures what hipBLASLt's heuristic offers for this GEMM without a batch, in bounded time, and
   * makes later GEMMs of this shape on the device's backend take the fastest; see {@link
   * #tune(Device, DType, int, int, int, TuneOptions)}.
   */
  public TuneResult tune(Device device, DType dtype, int m, int n, int k) {
    return tune(device, dtype, m, n, k, TuneOptions.DEFAULTS);
  }

  /**
   * Measures what hipBLASLt's heuristic offers for this GEMM, each candidate on a disposable stream
   * and for at most the options' bound, and makes later GEMMs of this shape on the device's backend
   * take the fastest. A candidate that overruns is abandoned where it is, and reclaimed once it has
   * ended; nothing waits for it (MIOpen 12265). Operands are of its own, so that no matrix of the
   * caller is touched. Spoils no graph capture, of whatever mode, stream or thread. Alpha and beta
   * play no part. Thread-safe; other work on the device slows down what is measured.
   *
   * @param m rows of C
   * @param n columns of C
   * @param k length of the sums
   * @throws HiplabException when no candidate was measured in time, hipBLASLt has no GEMM of this
   *     type or cannot be had while a capture is open, or the thread was interrupted, which is
   *     looked at between two candidates
   */
  public TuneResult tune(Device device, DType dtype, int m, int n, int k, TuneOptions options) {
    return BoundedTuning.run(this, device, dtype, m, n, k, options);
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
