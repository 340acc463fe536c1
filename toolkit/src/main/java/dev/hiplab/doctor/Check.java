package dev.hiplab.doctor;

/**
 * One thing that was looked at.
 *
 * @param level how it stands
 * @param text what was found, on one line
 * @param step the one thing to do; empty unless it is a TROUBLE
 */
public record Check(Level level, String text, String step) {
  /**
   * Checks that a trouble has a step, and nothing else has.
   *
   * @throws IllegalArgumentException when it is not so
   */
  public Check {
    if ((level == Level.TROUBLE) == step.isBlank()) {
      throw new IllegalArgumentException("a trouble, and nothing else, has a step: " + text);
    }
  }

  public static Check ok(String text) {
    return new Check(Level.OK, text, "");
  }

  public static Check note(String text) {
    return new Check(Level.NOTE, text, "");
  }

  public static Check trouble(String text, String step) {
    return new Check(Level.TROUBLE, text, step);
  }

  /** A trouble where it is one, else a note that keeps the step in its text. */
  static Check troubleIf(boolean counts, String text, String step) {
    return counts ? trouble(text, step) : note(text + ": " + step);
  }
}
