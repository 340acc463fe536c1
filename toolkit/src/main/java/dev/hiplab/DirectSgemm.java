package dev.hiplab;

import dev.hiplab.bindings.Native;
import java.nio.FloatBuffer;

/**
 * The direct {@code cblas_sgemm}, which cannot see how long its arrays are: here they are looked
 * at.
 */
final class DirectSgemm {
  private DirectSgemm() {}

  /**
   * C = A·B, row-major, in the calling thread, from each buffer's position on.
   *
   * @param m rows of A and C, at least 1
   * @param n columns of B and C, at least 1
   * @param k columns of A, rows of B, at least 1
   * @throws HiplabException naming a buffer that is shorter than its matrix
   */
  static void run(int m, int n, int k, FloatBuffer a, FloatBuffer b, FloatBuffer c) {
    requireRoom("A", a, m, k);
    requireRoom("B", b, k, n);
    requireRoom("C", c, m, n);
    Native.cblasSgemm(m, n, k, a, b, c);
  }

  private static void requireRoom(String what, FloatBuffer buffer, int rows, int cols) {
    Require.given(buffer, "cblas_sgemm", "a buffer for " + what);
    if (rows < 1 || cols < 1 || buffer.remaining() < (long) rows * cols) {
      throw new HiplabException(
          "cblas_sgemm: "
              + what
              + " ["
              + rows
              + ", "
              + cols
              + "] needs sizes of at least 1 and "
              + (long) rows * cols
              + " floats, its buffer holds "
              + buffer.remaining());
    }
  }
}
