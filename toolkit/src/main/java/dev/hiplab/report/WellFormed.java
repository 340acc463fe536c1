package dev.hiplab.report;

import java.nio.charset.StandardCharsets;

/** Text that can be written as UTF-8, whatever a run said. */
public final class WellFormed {
  private WellFormed() {}

  /** The text with U+FFFD for each half of a surrogate pair that stands alone. */
  public static String of(String text) {
    return text.replaceAll("\\p{Cs}", "\uFFFD"); // by code points: pairs are none of these
  }

  /** The same as UTF-8. */
  public static byte[] utf8(String text) {
    return of(text).getBytes(StandardCharsets.UTF_8);
  }
}
