package dev.hiplab.scenario;

/** Integer inputs from a seed, cheap enough that they do not dilute the race. */
public final class Inputs {
  private Inputs() {}

  /** A seed of its own for each thread, round and operand. */
  public static long seed(long seed, int thread, int round, int operand) {
    return mix(mix(mix(seed + thread) + round) + operand);
  }

  /** {@code count} integers in {@code -range..range}. */
  public static float[] integers(int count, int range, long seed) {
    float[] values = new float[count];
    int width = 2 * range + 1;
    long state = seed;
    long bits = 0;
    for (int i = 0; i < count; i++) {
      if ((i & 3) == 0) {
        state += 0x9E3779B97F4A7C15L;
        bits = mix(state);
      }
      // 16 random bits scaled to the width: the bias is under width / 65536.
      values[i] = (int) (((bits & 0xFFFF) * width) >>> 16) - range;
      bits >>>= 16;
    }
    return values;
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
