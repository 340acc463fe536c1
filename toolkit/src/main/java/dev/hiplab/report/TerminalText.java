package dev.hiplab.report;

/**
 * Text of runs, records and bundles as a terminal may show it: records may come from elsewhere, and
 * nothing in them may steer a terminal, or turn the text around it.
 */
public final class TerminalText {
  private static final String STEERS = "[\\p{Cc}&&[^\n\t]]|[\\u202A-\\u202E\\u2066-\\u2069]";

  private TerminalText() {}

  /** The text with U+FFFD for each such character; line breaks and tabs stay. */
  public static String of(String text) {
    return text.replaceAll(STEERS, "\uFFFD");
  }

  /** The same for what is to stay on one line. */
  public static String line(String text) {
    return of(text).replace('\n', '\uFFFD');
  }
}
