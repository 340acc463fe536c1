package dev.hiplab.race;

import java.util.concurrent.TimeUnit;

/**
 * A line that a pattern may look at for a while only: some patterns, such as {@code (a+)+b}, take
 * longer than anybody waits on a line that does not match. Java's own matcher cannot be stopped in
 * another way than by the text that it reads.
 */
final class TimedText implements CharSequence {
  /** For all patterns on one line together. */
  static final long SECONDS = 2;

  private static final int LOOKS = 4096; // between two looks at the clock

  /** The time is over. */
  static final class Over extends RuntimeException {
    private static final long serialVersionUID = 1;

    Over() {
      super("a pattern took longer than " + SECONDS + " s", null, false, false);
    }
  }

  private final String text;
  private final long from = System.nanoTime();
  private int looks;

  TimedText(String text) {
    this.text = text;
  }

  @Override
  public char charAt(int index) {
    if (++looks % LOOKS == 0 && System.nanoTime() - from > TimeUnit.SECONDS.toNanos(SECONDS)) {
      throw new Over();
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
