package dev.hiplab;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the {@code key=value} lines of the bindings. Plain loops: this runs in every child JVM,
 * where a first regex or lambda costs milliseconds.
 */
final class KeyValues {
  private KeyValues() {}

  /** In the order of the lines. A line without '=' is skipped. */
  static Map<String, String> texts(String lines) {
    Map<String, String> map = new LinkedHashMap<>();
    int from = 0;
    while (from < lines.length()) {
      int end = lines.indexOf('\n', from);
      if (end < 0) {
        end = lines.length();
      }
      int equals = lines.indexOf('=', from);
      if (equals > from && equals < end) {
        map.put(lines.substring(from, equals), lines.substring(equals + 1, end));
      }
      from = end + 1;
    }
    return Collections.unmodifiableMap(map);
  }

  /** The same, values as whole numbers. */
  static Map<String, Long> numbers(String lines) {
    Map<String, Long> map = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : texts(lines).entrySet()) {
      map.put(entry.getKey(), Long.valueOf(entry.getValue().trim()));
    }
    return Collections.unmodifiableMap(map);
  }
}
