package dev.hiplab.report;

import dev.hiplab.Device;
import dev.hiplab.measure.Place;
import dev.hiplab.race.RunRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Where figures come from, in one line: device (or command), profile, driver and versions. */
public final class Origin {
  private Origin() {}

  /** One line for all the records: values that differ between runs are joined with a slash. */
  public static String of(List<RunRecord> records) {
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

  /** The same line for figures whose device nobody gave. */
  public static String notGiven() {
    return "device not given · " + line(key -> value(ours(), key));
  }

  /** The same line for this process's own device, such as that of a survey of heuristics. */
  static String of(Device device) {
    Map<String, String> environment = new HashMap<>(device.backend().info());
    environment.put("device", device.name());
    environment.put("driver", environment.getOrDefault("provider", ""));
    environment.putAll(ours());
    return line(key -> value(environment, key));
  }

  /** The same line for figures that were measured there. */
  static String of(Place place) {
    Map<String, String> environment = new HashMap<>(place.versions());
    environment.put("device", place.device());
    environment.put("driver", place.driver());
    environment.put("profile", place.profile());
    return line(key -> value(environment, key));
  }

  /** Versions of this process. */
  private static Map<String, String> ours() {
    String version = Origin.class.getPackage().getImplementationVersion();
    return Map.of(
        "hiplab", Objects.requireNonNullElse(version, "development"),
        "java", System.getProperty("java.runtime.version"));
  }

  private static String line(Function<String, String> values) {
    List<String> parts = new ArrayList<>();
    String device = values.apply("device");
    String profile = values.apply("profile");
    String driver = values.apply("driver");
    add(parts, "", device.isEmpty() ? values.apply("command") : device);
    if (!Arrays.stream(profile.split(" / ")).allMatch(device::contains)) { // its name may say it
      add(parts, "profile ", profile);
    }
    add(parts, "driver ", driver);
    if (!driver.equals("host")) { // whose libraries are not of its makers
      add(parts, "hipBLASLt ", values.apply("hipblaslt"));
      add(parts, "rocBLAS ", values.apply("rocblas"));
    }
    add(parts, "hiplab ", values.apply("hiplab"));
    add(parts, "Java ", values.apply("java").replaceAll("\\+[^ ]*", ""));
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
