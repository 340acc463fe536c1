package dev.hiplab.report.bundle;

import dev.hiplab.HiplabException;
import dev.hiplab.report.TerminalText;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Names of files in a bundle: plain relative ones, that cannot lead out of a folder. */
final class BundleNames {
  /** What a bundle holds of one campaign at most, and with room, of hundreds. */
  static final int MOST_FILES = 200_000;

  private static final int LONGEST = 1000;

  private BundleNames() {}

  /** Whether the name is relative, of parts that name something, without anything to resolve. */
  static boolean isPlain(String name) {
    if (name.isEmpty() || name.length() > LONGEST || name.startsWith("/") || name.endsWith("/")) {
      return false;
    }
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..") || part.length() > 255) {
        return false;
      }
    }
    return name.chars().allMatch(c -> c >= ' ' && c != 0x7F && c != '\\' && c != ':');
  }

  /**
   * Checks the names of an archive's files.
   *
   * @throws HiplabException naming one that leads elsewhere, or stands there twice, or is the
   *     folder of another
   */
  static void check(Path archive, List<String> names) {
    if (names.size() > MOST_FILES) {
      throw refused(archive, names.size() + " files; a bundle has at most " + MOST_FILES);
    }
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!isPlain(name)) {
        throw refused(archive, "a file named '" + shown(name) + "', which no bundle has");
      }
      if (!seen.add(name)) {
        throw refused(archive, "two files named '" + name + "'");
      }
    }
    for (String name : names) {
      for (int at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
        if (seen.contains(name.substring(0, at))) {
          throw refused(archive, "'" + name.substring(0, at) + "' as a file and as a folder");
        }
      }
    }
  }

  private static String shown(String name) {
    String plain = TerminalText.line(name);
    return plain.length() > 80 ? plain.substring(0, 80) + "…" : plain;
  }

  static HiplabException refused(Path archive, String has) {
    return new HiplabException(
        archive + " is not opened: it has " + has + "; ask for it to be made again with --bundle");
  }
}
