package dev.hiplab.report;

import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;

/** Numbers of a table that prints itself, as {@link Tables} rounds them. For printing only. */
final class RoundedFormat extends NumberFormat {
  private static final long serialVersionUID = 1L;

  @Override
  public StringBuffer format(double number, StringBuffer to, FieldPosition position) {
    return to.append(Tables.rounded(number));
  }

  @Override
  public StringBuffer format(long number, StringBuffer to, FieldPosition position) {
    return to.append(number);
  }

  @Override
  public Number parse(String text, ParsePosition position) {
    throw new UnsupportedOperationException("rounded numbers are not read back");
  }
}
