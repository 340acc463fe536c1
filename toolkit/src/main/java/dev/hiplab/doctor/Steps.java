package dev.hiplab.doctor;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What to do about a setting that is wrong. */
final class Steps {
  /** Settings of the JVM, by the word for them in errors that do not name where they are from. */
  private static final Map<String, String> PROPERTIES =
      Map.of("driver", "hiplab.driver", "profile", "hiplab.profile");

  private Steps() {}

  /** Of the setting that an error names, if one is set that it does. */
  static Optional<String> of(Box box, String error) {
    for (String name : new TreeMap<>(box.environment()).keySet()) {
      if (name.startsWith("HIPLAB_") && error.contains(name)) {
        return Optional.of(wrong(name));
      }
    }
    return PROPERTIES.entrySet().stream()
        .filter(entry -> !box.property(entry.getValue()).isEmpty())
        .filter(entry -> error.startsWith("unknown " + entry.getKey() + " "))
        .map(entry -> "correct -D" + entry.getValue() + ", or leave it out")
        .findFirst();
  }

  static String wrong(String variable) {
    return "correct " + variable + ", or unset it";
  }
}
