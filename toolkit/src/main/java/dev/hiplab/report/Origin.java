package dev.hiplab.report;

import dev.hiplab.race.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Where figures come from, in one line: device, profile, driver and versions. */
final class Origin {
  private Origin() {}

  static String profile(RunRecord run) {
    return run.environment().getOrDefault("profile", "");
  }

  /** One line for all the records: values that differ between runs are joined with a slash. */
  static String of(List<RunRecord> records) {
    return line(
        key -> {
          Set<String> values = new LinkedHashSet<>();
          for (RunRecord run : records) {
            String value = value(run.environment(), key);
            if (!value.isEmpty()) {
              values.add(value);
            }
          }
          return String.join(" / ", values);
        });
  }

  /** The same line from one environment, such as the kernel's own device. */
  static String of(Map<String, String> environment) {
    return line(key -> value(environment, key));
  }

  private static String line(Function<String, String> values) {
    List<String> parts = new ArrayList<>();
    add(parts, "", values.apply("device"));
    add(parts, "profile ", values.apply("profile"));
    add(parts, "driver ", values.apply("driver"));
    add(parts, "hiplab ", values.apply("hiplab"));
    add(parts, "Java ", values.apply("java"));
    return String.join(" · ", parts);
  }

  private static void add(List<String> parts, String name, String value) {
    if (!value.isEmpty()) {
      parts.add(name + value);
    }
  }

  /** Versions stand in a record as {@code version.<name>}. */
  private static String value(Map<String, String> environment, String key) {
    String plain = environment.get(key);
    return plain != null ? plain : environment.getOrDefault("version." + key, "");
  }
}
