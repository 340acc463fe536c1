package dev.hiplab;

/** Sizes of a GEMM, taken from its matrices and checked: op(A) is m x k, op(B) is k x n. */
record GemmShape(int batch, int m, int n, int k) {
  static GemmShape of(String call, Gemm spec, Matrix a, Matrix b) {
    Require.given(spec, call, "a Gemm");
    Require.given(a, call, "a matrix for a");
    Require.given(b, call, "a matrix for b");
    if (a.dtype() != b.dtype()) {
      throw new HiplabException(
          call + " needs one element type: a is " + a.dtype() + ", b is " + b.dtype());
    }
    if (a.batch() != b.batch()) {
      throw new HiplabException(
          call + " needs one batch count: a is " + a.shape() + ", b is " + b.shape());
    }
    int m = spec.transA() ? a.cols() : a.rows();
    int k = inner(a, spec.transA());
    int n = spec.transB() ? b.rows() : b.cols();
    if (k != inner(b, !spec.transB())) {
      throw new HiplabException(
          call
              + " needs a."
              + (spec.transA() ? "rows" : "cols")
              + " == b."
              + (spec.transB() ? "cols" : "rows")
              + " for Gemm."
              + spec.label()
              + ": a is "
              + a.shape()
              + ", b is "
              + b.shape()
              + hint(a, b));
    }
    return new GemmShape(a.batch(), m, n, k);
  }

  /** Such as {@code bf16 4x64x64x128 NT}: batch (unless 1), m, n, k and transposes. */
  String label(DType dtype, Gemm spec) {
    return dtype
        + " "
        + (batch == 1 ? "" : batch + "x")
        + m
        + "x"
        + n
        + "x"
        + k
        + " "
        + spec.label();
  }

  void requireOutput(String call, Matrix a, Matrix b, Matrix c) {
    Require.given(c, call, "a matrix for c");
    DType result = a.dtype().result();
    if (c.dtype() != result) {
      String why =
          result == a.dtype()
              ? " in the inputs' element type "
              : " of " + a.dtype() + " inputs in ";
      throw new HiplabException(call + " needs c" + why + result + ", not " + c.dtype());
    }
    if (c.batch() != batch || c.rows() != m || c.cols() != n) {
      throw new HiplabException(
          call + " needs c of shape " + Matrix.shape(batch, m, n) + ", not " + c.shape());
    }
    if (c == a || c == b) {
      throw new HiplabException(
          call + " reads its inputs while it writes c: c must be another matrix than a and b");
    }
  }

  private static int inner(Matrix matrix, boolean transposed) {
    return transposed ? matrix.rows() : matrix.cols();
  }

  private static String hint(Matrix a, Matrix b) {
    Gemm[] all = {Gemm.NN, Gemm.NT, Gemm.TN, Gemm.TT};
    for (Gemm other : all) {
      if (inner(a, other.transA()) == inner(b, !other.transB())) {
        return "; transpose one with Gemm." + other.label();
      }
    }
    return "; no transpose makes them fit";
  }
}
