package dev.hiplab.scenario;

import java.util.Arrays;

/** The host's integer GEMM, and the comparison of a device's output with it. */
public final class Reference {
  private Reference() {}

  /**
   * Exact product of integer inputs; {@code m x n} a batch entry.
   *
   * <p>Four columns at once, 16 bits each of a long: every sum is below 2^15 in magnitude (see
   * {@link GemmCase}), so that a negative one borrows from its neighbour no more than unpacking
   * gives back. A child checks some hundred million products with the quick compiler only.
   */
  public static int[] product(GemmCase gemm, float[] a, float[] b) {
    int m = gemm.m();
    int n = gemm.n();
    int k = gemm.k();
    int quads = (n + 3) / 4;
    int[] c = new int[gemm.batch() * m * n];
    long[] sums = new long[quads];
    for (int entry = 0; entry < gemm.batch(); entry++) {
      long[] packed = pack(gemm, b, entry);
      for (int i = 0; i < m; i++) {
        Arrays.fill(sums, 0);
        for (int p = 0; p < k; p++) {
          long left = (long) a[(entry * m + i) * k + p];
          for (int q = 0, from = p * quads; q < quads; q++, from++) {
            sums[q] += left * packed[from];
          }
        }
        unpack(sums, c, (entry * m + i) * n, n);
      }
    }
    return c;
  }

  /** Rows of op(B), four columns to a long, the first in the lowest bits. */
  private static long[] pack(GemmCase gemm, float[] b, int entry) {
    int n = gemm.n();
    int k = gemm.k();
    int quads = (n + 3) / 4;
    long[] packed = new long[k * quads];
    for (int p = 0; p < k; p++) {
      for (int j = 0; j < n; j++) {
        long value = (long) b[entry * k * n + (gemm.transposesB() ? j * k + p : p * n + j)];
        packed[p * quads + j / 4] += value << (j % 4 * 16);
      }
    }
    return packed;
  }

  private static void unpack(long[] sums, int[] c, int at, int n) {
    for (int j = 0; j < n; j++) {
      short lowest = (short) sums[j / 4];
      c[at + j] = lowest;
      sums[j / 4] = (sums[j / 4] - lowest) >> 16;
    }
  }

  /**
   * Largest error that a device which does not add the IEEE way may make at one output: {@code 2 K
   * u sum|a b|} with {@code u = 2^-24} (f32 accumulation; mlxcel 2206 measured the residues).
   */
  public static double bound(GemmCase gemm, float[] a, float[] b, int index) {
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
