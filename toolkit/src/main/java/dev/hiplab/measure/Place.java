package dev.hiplab.measure;

import dev.hiplab.Device;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where something was measured. Two measurements can be put together when their places are equal.
 *
 * @param driver {@code rocm} or {@code host}
 * @param device the device's name
 * @param arch its instruction set, such as {@code gfx1151}
 * @param profile of the software device, else empty
 * @param versions of the libraries, hiplab and Java, by name
 */
public record Place(
    String driver, String device, String arch, String profile, Map<String, String> versions) {
  private static final String VERSION = "version.";

  public Place {
    versions = Collections.unmodifiableMap(new TreeMap<>(versions));
  }

  /** Of a device of this process. */
  public static Place of(Device device) {
    Map<String, String> told = device.backend().info();
    Map<String, String> versions = new TreeMap<>();
    told.forEach(
        (key, value) -> {
          if (key.startsWith(VERSION)) {
            versions.put(key.substring(VERSION.length()), value);
          }
        });
    String jar = Place.class.getPackage().getImplementationVersion();
    versions.put("hiplab", jar == null ? "development" : jar);
    versions.put("java", System.getProperty("java.runtime.version"));
    return new Place(
        told.getOrDefault("provider", ""),
        device.name(),
        device.info().getOrDefault("arch", ""),
        profile(told.getOrDefault("detail", "")),
        versions);
  }

  /** The profile in what a provider says of itself; empty when it has none. */
  public static String profile(String detail) {
    int at = detail.indexOf("profile ");
    if (at < 0) {
      return "";
    }
    String rest = detail.substring(at + "profile ".length());
    int end = rest.indexOf(',');
    return end < 0 ? rest : rest.substring(0, end);
  }

  /** A library's version; empty when it is not known. */
  public String version(String library) {
    return versions.getOrDefault(library, "");
  }

  /** Device, architecture and driver in one line. */
  @Override
  public String toString() {
    String known = device.contains(arch) ? "" : " (" + arch + ")";
    return device + known + ", driver " + driver;
  }
}
