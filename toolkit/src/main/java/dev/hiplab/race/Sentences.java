package dev.hiplab.race;

/** One sentence for a failure, without its stack. */
final class Sentences {
  private Sentences() {}

  /** The failure's own sentence, or its kind when it has none. */
  static String of(Throwable failure) {
    String message = failure.getMessage();
    String kind = failure.getClass().getName();
    if (message == null || message.isBlank()) {
      return kind;
    }
    return kind.startsWith("dev.hiplab.") ? message : kind + ": " + message;
  }
}
