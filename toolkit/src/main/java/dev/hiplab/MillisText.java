package dev.hiplab;

import java.math.BigDecimal;
import java.math.MathContext;

/** A time in milliseconds as a person reads it: up to four digits, without an exponent. */
final class MillisText {
  private static final MathContext DIGITS = new MathContext(4);

  private MillisText() {}

  static String of(double millis) {
    BigDecimal rounded = new BigDecimal(millis).round(DIGITS).stripTrailingZeros();
    return (rounded.scale() < 0 ? rounded.setScale(0) : rounded).toPlainString();
  }
}
