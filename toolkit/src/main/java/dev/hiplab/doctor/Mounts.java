package dev.hiplab.doctor;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The kernel's list of mounted file systems, whose names are bytes in no encoding. */
final class Mounts {
  /** As proc(5) writes a blank, a tab, an end of line, a backslash. */
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  private Mounts() {}

  /** Options of the file system that the folder lies on; none when they cannot be told. */
  static List<String> optionsOf(Path folder, Path mounts) {
    String longest = "";
    String options = "";
    try {
      String real = bytes(folder.toRealPath());
      // A character a byte, so that nothing is malformed.
      for (String line : Files.readAllLines(mounts, StandardCharsets.ISO_8859_1)) {
        String[] fields = line.split(" ");
        String point = fields.length > 3 ? unescaped(fields[1]) : "";
        if (point.length() >= longest.length() && holds(point, real)) {
          longest = point;
          options = fields[3];
        }
      }
    } catch (IOException unknown) {
      return List.of();
    }
    return List.of(options.split(","));
  }

  private static boolean holds(String point, String path) {
    return point.equals("/") || path.equals(point) || path.startsWith(point + "/");
  }

  private static String unescaped(String field) {
    return OCTAL
        .matcher(field)
        .replaceAll(
            match -> {
              char c = (char) Integer.parseInt(match.group(1), 8);
              return c == '\\' || c == '$' ? "\\" + c : String.valueOf(c);
            });
  }

  /** The path's own bytes, a character each: its URI has those that are no ASCII as %XX. */
  private static String bytes(Path path) {
    String raw = path.toUri().getRawPath().replace("+", "%2B");
    String decoded = URLDecoder.decode(raw, StandardCharsets.ISO_8859_1);
    return decoded.length() > 1 && decoded.endsWith("/")
        ? decoded.substring(0, decoded.length() - 1)
        : decoded;
  }
}
