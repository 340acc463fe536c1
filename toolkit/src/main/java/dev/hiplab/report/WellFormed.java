package dev.hiplab.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /**
   * Writes a file of a report and returns its path; folders are made as needed.
   *
   * @throws UncheckedIOException naming the file
   */
  public static Path write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return Files.write(file, utf8(text));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The report could not be written to " + file + ": " + e.getMessage(), e);
    }
  }
}
