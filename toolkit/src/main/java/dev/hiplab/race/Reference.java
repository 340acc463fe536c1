package dev.hiplab.race;

/** The host's integer GEMM, and the comparison of a device's output with it. */
final class Reference {
  private Reference() {}

  /** Exact product of integer inputs; {@code m x n} a batch entry. */
  static int[] product(GemmCase gemm, float[] a, float[] b) {
    int m = gemm.m();
    int n = gemm.n();
    int k = gemm.k();
    int[] c = new int[gemm.batch() * m * n];
    int[] column = new int[k * n];
    for (int entry = 0; entry < gemm.batch(); entry++) {
      int fromB = entry * k * n;
      for (int p = 0; p < k; p++) {
        for (int j = 0; j < n; j++) {
          column[p * n + j] = (int) b[fromB + (gemm.transposesB() ? j * k + p : p * n + j)];
        }
      }
      for (int i = 0; i < m; i++) {
        int row = (entry * m + i) * n;
        for (int p = 0; p < k; p++) {
          int left = (int) a[(entry * m + i) * k + p];
          for (int j = 0, from = p * n; j < n; j++, from++) {
            c[row + j] += left * column[from];
          }
        }
      }
    }
    return c;
  }

  /**
   * Largest error that a device which does not add the IEEE way may make at one output: {@code 2 K
   * u sum|a b|} with {@code u = 2^-24} (f32 accumulation; mlxcel 2206 measured the residues).
   */
  static double bound(GemmCase gemm, float[] a, float[] b, int index) {
    int m = gemm.m();
    int n = gemm.n();
    int k = gemm.k();
    int entry = index / (m * n);
    int i = index / n % m;
    int j = index % n;
    double sum = 0;
    for (int p = 0; p < k; p++) {
      int inB = entry * k * n + (gemm.transposesB() ? j * k + p : p * n + j);
      sum += Math.abs(a[(entry * m + i) * k + p] * b[inB]);
    }
    return 2.0 * k * 0x1p-24 * sum;
  }
}
