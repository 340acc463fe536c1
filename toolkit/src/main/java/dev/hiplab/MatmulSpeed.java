package dev.hiplab;

import dev.hiplab.bindings.Native;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Map;

/**
 * How fast {@code Stream.matmul} is beside a direct {@code cblas_sgemm} call with the same OpenBLAS
 * and threads: f32 n x n x n, in turn, in one run, so that whatever the machine does it does to
 * both. Makes sense on the software device; on a GPU it compares the GPU with this machine's
 * processors.
 *
 * @param n size of the square matrices
 * @param rounds of each kind that were timed
 * @param matmulMillis median of matmul and synchronize, the new output's allocation included
 * @param directMillis median of cblas_sgemm
 * @param openblas {@code library}, {@code version}, {@code threads}
 */
public record MatmulSpeed(
    int n, int rounds, double matmulMillis, double directMillis, Map<String, String> openblas) {
  private static final int WARM_UP = 2;

  /**
   * Measures.
   *
   * @throws HiplabException when a size or count is below 1
   */
  public static MatmulSpeed measure(Device device, int n, int rounds) {
    Require.given(device, "a measurement", "a device");
    if (n < 1 || rounds < 1) {
      throw new HiplabException(
          "a measurement needs n and rounds of at least 1, not " + n + " and " + rounds);
    }
    int count = (int) Matrix.count(1, n, n);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i % 9 - 4;
    }
    FloatBuffer a = offHeap(values);
    FloatBuffer b = offHeap(values);
    FloatBuffer c = offHeap(values);
    double[] matmul = new double[rounds];
    double[] direct = new double[rounds];
    try (Stream stream = device.stream();
        Matrix left = device.matrix(DType.F32, n, n, values);
        Matrix right = device.matrix(DType.F32, n, n, values)) {
      for (int round = -WARM_UP; round < rounds; round++) {
        long begin = System.nanoTime();
        Matrix out = stream.matmul(left, right);
        stream.synchronize();
        double matmulMillis = (System.nanoTime() - begin) / 1e6;
        out.close();

        begin = System.nanoTime();
        DirectSgemm.run(n, n, n, a, b, c);
        double directMillis = (System.nanoTime() - begin) / 1e6;
        if (round >= 0) {
          matmul[round] = matmulMillis;
          direct[round] = directMillis;
        }
      }
    }
    return new MatmulSpeed(
        n, rounds, median(matmul), median(direct), KeyValues.texts(Native.openblasInfo()));
  }

  /** Speed of matmul as a share of the direct call's. */
  public double ratio() {
    return directMillis / matmulMillis;
  }

  /** Speed of matmul, 10^9 floating-point operations a second. */
  public double gflops() {
    return 2.0 * n * n * n / matmulMillis / 1e6;
  }

  @Override
  public String toString() {
    return String.format(
        "f32 %d^3: Stream.matmul %.1f ms (%.0f GFLOP/s), cblas_sgemm %.1f ms, ratio of speeds %.2f"
            + " (medians of %d, alternating; OpenBLAS %s, %s threads)",
        n,
        matmulMillis,
        gflops(),
        directMillis,
        ratio(),
        rounds,
        openblas.get("version"),
        openblas.get("threads"));
  }

  // Outside the heap, because the stubs would copy a Java array in and out, which would make the
  // direct call look slow.
  private static FloatBuffer offHeap(float[] values) {
    FloatBuffer buffer =
        ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.nativeOrder()).asFloatBuffer();
    return buffer.put(values).rewind();
  }

  private static double median(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
