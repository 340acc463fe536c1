package dev.hiplab;

/**
 * What became of one pattern on a device, as a row of A against ones in a GEMM of 64x64x64: every
 * output is the sum of the row.
 *
 * @param type of the inputs
 * @param pattern the row's terms, then zeros; with a star, the terms over and over
 * @param exact sum of the row
 * @param magnitude sum of the terms' magnitudes
 * @param gfx11 the error that every output has on gfx11 (mlxcel 2206), rounded to the output's type
 * @param outputs how many there are
 * @param off how many are not exact
 * @param least smallest error, output minus exact sum; NaN where an output is NaN
 * @param greatest largest error, as above
 */
public record ResidueRow(
    DType type,
    String pattern,
    double exact,
    double magnitude,
    double gfx11,
    int outputs,
    int off,
    double least,
    double greatest) {
  static ResidueRow of(DType type, ResiduePattern pattern, float[] outputs) {
    double exact = pattern.sum();
    int off = 0;
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (float output : outputs) {
      double error = output - exact;
      off += error == 0 ? 0 : 1; // NaN, which an output is that nothing wrote, too
      least = Math.min(least, error);
      greatest = Math.max(greatest, error);
    }
    return new ResidueRow(
        type,
        pattern.text(),
        exact,
        pattern.magnitude(),
        pattern.gfx11(type.result()),
        outputs.length,
        off,
        least,
        greatest);
  }

  /** Whether every output is the exact sum. */
  public boolean isExact() {
    return off == 0;
  }

  /** Whether every output has the error that it has on gfx11. */
  public boolean isLikeGfx11() {
    return least == gfx11 && greatest == gfx11;
  }

  /** The error of the output that is farthest off. */
  public double error() {
    return Math.abs(least) > Math.abs(greatest) ? least : greatest;
  }

  /** The largest error that a sum of these products may have: 2 K u sum|a b|, u = 2^-24. */
  public double bound() {
    return 2.0 * ResiduePattern.LENGTH * 0x1p-24 * magnitude;
  }

  /** Whether no output is farther off than {@link #bound()}; false for NaN. */
  public boolean isWithinBound() {
    return Math.abs(error()) <= bound();
  }

  /** The error as a multiple of a power of two, such as {@code -3*2^-24}. */
  public String errorText() {
    return text(error());
  }

  /** The same of the error on gfx11. */
  public String gfx11Text() {
    return text(gfx11);
  }

  private static String text(double error) {
    if (error == 0 || !Double.isFinite(error)) {
      return error == 0 ? "0" : Double.toString(error);
    }
    int power = Math.getExponent(error);
    while (Math.scalb(error, -power) % 1 != 0) {
      power--;
    }
    long odd = (long) Math.scalb(error, -power);
    String sign = odd < 0 ? "-" : "";
    return Math.abs(odd) == 1 ? sign + "2^" + power : odd + "*2^" + power;
  }

  /** {@code bf16 [1,-1]: 4096 of 4096 off by -2^-24}. */
  @Override
  public String toString() {
    return type
        + " "
        + pattern
        + ": "
        + (isExact() ? "exact" : off + " of " + outputs + " off by " + errorText());
  }
}
