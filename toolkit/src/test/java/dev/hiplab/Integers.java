package dev.hiplab;

import java.util.SplittableRandom;

/** Integer inputs and the integer reference of a GEMM: what the device must give exactly. */
final class Integers {
  private Integers() {}

  /** {@code count} integers in -range..range. */
  static float[] random(int count, int range, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextInt(-range, range + 1);
    }
    return values;
  }

  /** {@code alpha op(A) op(B) + beta C}, batch after batch, row-major. */
  static int[] gemm(
      boolean transA,
      boolean transB,
      int batch,
      int m,
      int n,
      int k,
      int alpha,
      float[] a,
      float[] b,
      int beta,
      float[] c) {
    int[] out = new int[batch * m * n];
    for (int g = 0; g < batch; g++) {
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
          int sum = 0;
          for (int p = 0; p < k; p++) {
            int left = (int) a[g * m * k + (transA ? p * m + i : i * k + p)];
            int right = (int) b[g * k * n + (transB ? j * k + p : p * n + j)];
            sum += left * right;
          }
          int at = (g * m + i) * n + j;
          out[at] = alpha * sum + (beta == 0 ? 0 : beta * (int) c[at]);
        }
      }
    }
    return out;
  }
}
