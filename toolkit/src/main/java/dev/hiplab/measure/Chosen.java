package dev.hiplab.measure;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * The outputs of a problem that are compared: all of them when their multiply-adds fit a number,
 * else the last row and column of the last matrix, the corners of the first and last one, and
 * others by a seed until the number is reached. What is cut off or left over at an edge of tiles
 * stands there.
 */
final class Chosen {
  private Chosen() {}

  /** Their places in C, batch after batch and row by row. */
  static int[] of(Problem problem, long seed, long multiplyAdds) {
    int m = problem.m();
    int n = problem.n();
    int total = Math.toIntExact((long) problem.batch() * m * n);
    BitSet chosen = new BitSet(total);
    if (problem.multiplyAdds() <= multiplyAdds) {
      chosen.set(0, total);
      return chosen.stream().toArray();
    }
    for (int matrix : new int[] {0, total - m * n}) {
      chosen.set(matrix);
      chosen.set(matrix + n - 1);
      chosen.set(matrix + (m - 1) * n);
      chosen.set(matrix + m * n - 1);
    }
    chosen.set(total - n, total);
    for (int row = 0; row < m; row++) {
      chosen.set(total - m * n + row * n + n - 1);
    }
    SplittableRandom random = new SplittableRandom(seed);
    long left = multiplyAdds / problem.k() - chosen.cardinality();
    for (long i = 0; i < left; i++) { // one that is drawn twice is compared once
      chosen.set(random.nextInt(total));
    }
    return chosen.stream().toArray();
  }
}
