package dev.hiplab.scenario;

/** One sentence for a failure, without its stack. */
public final class Sentences {
  private Sentences() {}

  /**
   * The failure's own sentence, or its kind when it has none; with the line where code that is not
   * this project's raised it.
   */
  public static String of(Throwable failure) {
    String line = Frames.ownLine(failure);
    return said(failure) + (line.isEmpty() ? "" : " (" + line + ")");
  }

  private static String said(Throwable failure) {
    String message = failure.getMessage();
    String kind = failure.getClass().getName();
    if (message == null || message.isBlank()) {
      return kind;
    }
    return kind.startsWith("dev.hiplab.") ? message : kind + ": " + message;
  }
}
