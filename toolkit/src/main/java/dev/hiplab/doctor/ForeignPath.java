package dev.hiplab.doctor;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Text of others (variables, files) as a path: such text need not be one. Java encodes file names
 * as the locale says; in the C locale, which containers and cron have, a name beyond ASCII cannot
 * be encoded, and reaches Java with other characters in it.
 */
public final class ForeignPath {
  private ForeignPath() {}

  /** Empty when the text cannot be a path here. */
  public static Optional<Path> of(String first, String... more) {
    try {
      return Optional.of(Path.of(first, more));
    } catch (InvalidPathException noPath) {
      return Optional.empty();
    }
  }

  /** What to say of a text that is none, after its name. */
  public static String none() {
    return "cannot be a path for this Java, which encodes file names in "
        + System.getProperty("sun.jnu.encoding", "an unknown way")
        + " (LC_ALL=C.UTF-8 in its environment makes that UTF-8)";
  }
}
