package dev.hiplab.measure;

import dev.hiplab.DType;

/**
 * The host's product of a GEMM's inputs as the device holds them, in double precision, at chosen
 * outputs, and the comparison of a device's output with it. Immutable.
 */
final class Reference {
  /** Half a unit in the last place of f32, in which devices add. */
  private static final double UNIT = 0x1p-24;

  /** Integers up to here are exact in f32. */
  private static final double LARGEST_EXACT = 0x1p24;

  /**
   * What a comparison found.
   *
   * @param checked outputs that were compared
   * @param largestError of them; NaN when one was no number
   * @param bound what that output may be off by
   * @param worst in words, empty unless it is wrong
   */
  record Comparison(Verdict verdict, int checked, double largestError, double bound, String worst) {
    /** Where nothing was compared. */
    static Comparison none(Verdict verdict) {
      return new Comparison(verdict, 0, Double.NaN, Double.NaN, "");
    }
  }

  private final Problem problem;
  private final int[] places;
  private final double[] products;
  private final double[] magnitudes;
  private final boolean ieee;

  private Reference(
      Problem problem, int[] places, double[] products, double[] magnitudes, boolean ieee) {
    this.problem = problem;
    this.places = places;
    this.products = products;
    this.magnitudes = magnitudes;
    this.ieee = ieee;
  }

  /**
   * Computes it.
   *
   * @param a values of A as the device holds them, row-major, batch after batch; so is b
   * @param places of the outputs, see {@link Chosen}
   * @param ieee whether the device adds this type the IEEE way, as was measured ({@link
   *     DeviceSums})
   */
  static Reference of(Problem problem, float[] a, float[] b, int[] places, boolean ieee) {
    double[] products = new double[places.length];
    double[] magnitudes = new double[places.length];
    int m = problem.m();
    int n = problem.n();
    int k = problem.k();
    int stepA = problem.spec().transA() ? m : 1;
    int stepB = problem.spec().transB() ? 1 : n;
    for (int i = 0; i < places.length; i++) {
      int matrix = places[i] / (m * n);
      int row = places[i] / n % m;
      int column = places[i] % n;
      int inA = matrix * m * k + (problem.spec().transA() ? row : row * k);
      int inB = matrix * k * n + (problem.spec().transB() ? column * k : column);
      double product = 0;
      double magnitude = 0;
      for (int p = 0; p < k; p++, inA += stepA, inB += stepB) {
        double term = (double) a[inA] * b[inB];
        product += term;
        magnitude += Math.abs(term);
      }
      products[i] = product;
      magnitudes[i] = magnitude;
    }
    return new Reference(problem, places, products, magnitudes, ieee);
  }

  /** How many outputs are compared. */
  int size() {
    return places.length;
  }

  /** Whether sums in f32 lose nothing, in whatever order and parts: those of integers do not. */
  private boolean sumsAreExact(int i) {
    return ieee && magnitudes[i] <= LARGEST_EXACT;
  }

  /**
   * Most that an output may be off. Where the device adds the IEEE way and no sum is rounded, half
   * a step of the output's type. Else {@code 2 K u sum|a b|} with {@code u = 2^-24} for sums in f32
   * in any order, on a device that need not add the IEEE way (mlxcel 2206), and half a step of the
   * output's type at what may come out.
   */
  double bound(int i) {
    double sums = sumsAreExact(i) ? 0 : 2.0 * problem.k() * UNIT * magnitudes[i];
    return sums + Rounding.half(problem.dtype().result(), Math.abs(products[i]) + sums);
  }

  /**
   * Compares.
   *
   * @param out all outputs; each is looked at for what is no number
   */
  Comparison compare(float[] out) {
    DType type = problem.dtype().result();
    for (int place = 0; place < out.length; place++) {
      if (Float.isNaN(out[place])) {
        return new Comparison(
            Verdict.WRONG, size(), Double.NaN, Double.NaN, where(place) + " was not written (NaN)");
      }
    }
    Verdict verdict = Verdict.EXACT;
    int worst = 0;
    double largest = -1;
    for (int i = 0; i < places.length; i++) {
      double value = out[places[i]];
      double error = Math.abs(value - products[i]);
      boolean exact = value == Rounding.nearest(type, products[i]);
      Verdict one =
          exact ? Verdict.EXACT : error <= bound(i) ? Verdict.WITHIN_BOUND : Verdict.WRONG;
      // A rounded output is off by its rounding; what tells of a candidate is beyond that.
      if (one.compareTo(verdict) > 0 || one == verdict && error > largest) {
        verdict = one;
        worst = i;
        largest = error;
      }
    }
    double value = out[places[worst]];
    String words =
        verdict != Verdict.WRONG
            ? ""
            : where(places[worst]) + " is " + value + ", not " + products[worst];
    return new Comparison(verdict, size(), Math.max(0, largest), bound(worst), words);
  }

  private String where(int place) {
    int matrix = place / (problem.m() * problem.n());
    String element = place / problem.n() % problem.m() + ", " + place % problem.n() + "]";
    return "output " + (problem.batch() == 1 ? "[" : "[" + matrix + ", ") + element;
  }
}
