package dev.hiplab.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What child processes found out, key to value: the keys of {@code Inventory}, and for each part
 * {@code <part>.crash} (what ended the process that looked at it) or {@code <part>.error} (a
 * sentence) when there was no answer.
 *
 * @param values all of them
 */
public record Facts(Map<String, String> values) {
  private static final Map<String, String> BASES =
      Map.of(
          "natives", "the native libraries",
          "openblas", "OpenBLAS",
          "host", "the software device");

  public Facts {
    values = Map.copyOf(values);
  }

  /** The value, or empty text. */
  String text(String key) {
    return values.getOrDefault(key, "");
  }

  boolean is(String key) {
    return "1".equals(values.get(key));
  }

  /** The value as a number; 0 when there is none. */
  int number(String key) {
    String text = text(key);
    return text.matches("-?\\d{1,9}") ? Integer.parseInt(text) : 0;
  }

  /** Values of {@code <prefix>.<n>.<last>}, n from 0 on. */
  List<String> listed(String prefix, String last) {
    List<String> found = new ArrayList<>();
    for (int n = 0; values.containsKey(prefix + "." + n + "." + last); n++) {
      found.add(values.get(prefix + "." + n + "." + last));
    }
    return found;
  }

  /** Keys below a prefix, without it. */
  public Map<String, String> below(String prefix) {
    Map<String, String> found = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          if (key.startsWith(prefix + ".")) {
            found.put(key.substring(prefix.length() + 1), value);
          }
        });
    return found;
  }

  /**
   * What failed of the same before this part did, of those that others are built on; empty when
   * nothing did.
   */
  private String origin(String part) {
    String error = text(part + ".error");
    for (String before : Examination.PARTS) {
      if (error.isEmpty() || before.equals(part)) {
        return "";
      }
      String fault = text(before + ".error");
      // Each part tries to unpack the natives, into a folder with another name.
      boolean same = error.equals(fault) || before.equals("natives") && !fault.isEmpty();
      if (same && BASES.containsKey(before)) {
        return BASES.get(before);
      }
    }
    return "";
  }

  /** A note in a fault's place where it is another part's, which tells it. */
  Optional<Check> repeated(String part, String what) {
    String origin = origin(part);
    return origin.isEmpty()
        ? Optional.empty()
        : Optional.of(Check.note(what + ": not tried, for the trouble of " + origin));
  }

  /** The trouble of a part that gave no answer. */
  Optional<Check> failure(String part, String what) {
    Optional<Check> repeated = repeated(part, what);
    if (repeated.isPresent()) {
      return repeated;
    }
    String crash = text(part + ".crash");
    if (!crash.isEmpty()) {
      return Optional.of(
          Check.trouble(
              what + " ended the process that looked at it: " + crash,
              "install that library again, from one source with the rest of ROCm"));
    }
    String error = text(part + ".error");
    return error.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Check.trouble(what + " gave no answer: " + error, "send this text with a report"));
  }
}
