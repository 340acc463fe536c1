package dev.hiplab.doctor;

import java.nio.file.Path;
import java.util.Map;

/**
 * A machine as the checks see it: nothing else is read, so that tests can make one up.
 *
 * @param environment variables
 * @param properties of the JVM
 * @param mounts the kernel's list of mounted file systems, {@code /proc/mounts}
 * @param facts what child processes found out
 * @param rocmWanted whether a missing ROCm is a trouble even where no AMD GPU is; always so where
 *     commands insist on ROCm
 */
public record Box(
    Map<String, String> environment,
    Map<String, String> properties,
    Path mounts,
    Facts facts,
    boolean rocmWanted) {
  public Box {
    environment = Map.copyOf(environment);
    properties = Map.copyOf(properties);
    rocmWanted |= insistsOnRocm(environment, properties);
  }

  String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  String property(String name) {
    return properties.getOrDefault(name, "");
  }

  /**
   * Whether commands insist on ROCm: the setting of the JVM wins over the variable, as it does for
   * them.
   */
  static boolean insistsOnRocm(Map<String, String> environment, Map<String, String> properties) {
    String asked = properties.getOrDefault("hiplab.driver", "");
    return "rocm".equals(asked.isEmpty() ? environment.get("HIPLAB_DRIVER") : asked);
  }

  boolean driverIsRocm() {
    return insistsOnRocm(environment, properties);
  }

  /** Whether an AMD GPU was seen, by the compute driver or on the PCI bus. */
  boolean hasGpu() {
    return facts.values().containsKey("gpu.0.node")
        || facts.values().containsKey("pci.0.address")
        || facts.number("hip.devices") > 0
        || facts.is("kfd.there");
  }

  /** Whether what stands in ROCm's way is a trouble: it was asked for, or there is a GPU for it. */
  boolean rocmCounts() {
    return rocmWanted || hasGpu();
  }
}
