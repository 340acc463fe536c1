package dev.hiplab;

/**
 * How a matrix prints: its shape and a corner of its values. A matrix still being written is waited
 * for briefly only, so that a shell or a debugger that prints it cannot hang on a hung stream.
 */
final class MatrixText {
  private static final int ROWS = 6;
  private static final int COLS = 8;
  private static final long PATIENCE_NANOS = 200_000_000L;

  private MatrixText() {}

  static String of(Matrix matrix) {
    String label = matrix.label();
    try {
      if (matrix.isClosed()) {
        return label + " (closed)";
      }
      Stream writer = matrix.writer();
      if (writer != null && !settles(writer)) {
        return label + " (pending on stream " + writer.id() + ")";
      }
      int rows = Math.min(matrix.rows(), ROWS);
      return label + corner(matrix, matrix.read(rows * matrix.cols()), rows);
    } catch (HiplabException e) {
      return label + " (not readable: " + e.getMessage() + ")";
    }
  }

  private static boolean settles(Stream stream) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!stream.idleOrClosed()) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return true;
  }

  private static String corner(Matrix matrix, float[] values, int rows) {
    int cols = Math.min(matrix.cols(), COLS);
    String[][] cells = new String[rows][cols];
    int width = 0;
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < cols; c++) {
        cells[r][c] = number(values[r * matrix.cols() + c]);
        width = Math.max(width, cells[r][c].length());
      }
    }
    StringBuilder text = new StringBuilder();
    if (matrix.batch() > 1) {
      text.append(", first of ").append(matrix.batch()).append(':');
    }
    for (int r = 0; r < rows; r++) {
      text.append("\n ");
      for (int c = 0; c < cols; c++) {
        text.append(' ');
        for (int pad = cells[r][c].length(); pad < width; pad++) {
          text.append(' ');
        }
        text.append(cells[r][c]);
      }
      if (cols < matrix.cols()) {
        text.append(" ...");
      }
    }
    if (rows < matrix.rows()) {
      text.append("\n  ...");
    }
    return text.toString();
  }

  // Whole numbers without ".0": integer matrices are the usual case here.
  private static String number(float value) {
    if (value == (int) value && Math.abs(value) < 1e7f) {
      return Integer.toString((int) value);
    }
    return Float.toString(value);
  }
}
