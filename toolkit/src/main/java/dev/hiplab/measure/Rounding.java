package dev.hiplab.measure;

import dev.hiplab.DType;
import dev.hiplab.HiplabException;

/** Doubles rounded to an element type, to nearest, ties to even, and how far that may move them. */
final class Rounding {
  /**
   * Bits of the significand, the hidden one too; exponent of the smallest normal; largest value.
   */
  private record Format(int bits, int smallest, double largest) {}

  private Rounding() {}

  private static Format format(DType type) {
    return switch (type) {
      case F32 -> new Format(24, -126, Float.MAX_VALUE);
      case F16 -> new Format(11, -14, 65504);
      case BF16 -> new Format(8, -126, 0x1.FEp127);
      case F8 -> throw new HiplabException("f8 is no type of outputs; they are bf16");
    };
  }

  /** The nearest value of the type; infinity beyond its largest. */
  static double nearest(DType type, double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value;
    }
    double step = step(type, value);
    double rounded = Math.rint(value / step) * step; // steps are powers of two: exact
    return Math.abs(rounded) > format(type).largest
        ? Math.copySign(Double.POSITIVE_INFINITY, value)
        : rounded;
  }

  /** Half the distance of the type's values at this magnitude. */
  static double half(DType type, double value) {
    return step(type, value) / 2;
  }

  private static double step(DType type, double value) {
    Format format = format(type);
    int exponent = Math.max(Math.getExponent(value), format.smallest);
    return Math.scalb(1.0, exponent - format.bits + 1);
  }
}
