package dev.hiplab.measure;

import dev.hiplab.Device;
import dev.hiplab.Matrix;
import java.util.SplittableRandom;

/**
 * Matrices of a problem: A and B of integers in {@code -2..2}, which every element type holds
 * exactly, from a seed, and C. Also what A and B hold, for the reference.
 */
final class SurveyInputs implements AutoCloseable {
  private static final int RANGE = 2;

  final Matrix a;
  final Matrix b;
  final Matrix c;

  private SurveyInputs(Matrix a, Matrix b, Matrix c) {
    this.a = a;
    this.b = b;
    this.c = c;
  }

  /** Makes them; one seed and problem, one set of values. */
  static SurveyInputs of(Device device, Problem p, long seed) {
    SplittableRandom random = new SplittableRandom(seed * 31 + p.label().hashCode());
    Matrix a = matrix(device, p, p.rowsA(), p.colsA(), random);
    Matrix b = null;
    try {
      b = matrix(device, p, p.rowsB(), p.colsB(), random);
      Matrix c = device.empty(p.dtype().result(), p.batch(), p.m(), p.n());
      return new SurveyInputs(a, b, c);
    } catch (RuntimeException | Error e) {
      a.close();
      if (b != null) {
        b.close();
      }
      throw e;
    }
  }

  private static Matrix matrix(
      Device device, Problem p, int rows, int cols, SplittableRandom random) {
    // Made first: it says what is too large for Java or the device.
    try (Matrix fits = device.empty(p.dtype(), p.batch(), rows, cols)) {
      float[] values = new float[p.batch() * rows * cols];
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextInt(-RANGE, RANGE + 1);
      }
      return device.matrix(p.dtype(), p.batch(), rows, cols, values);
    }
  }

  /** The host's product of what the device holds. */
  Reference reference(Problem p, long seed, long multiplyAdds) {
    return Reference.of(p, a.floats(), b.floats(), Chosen.of(p, seed, multiplyAdds));
  }

  @Override
  public void close() {
    a.close();
    b.close();
    c.close();
  }
}
