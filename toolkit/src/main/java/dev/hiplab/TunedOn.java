package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.Native;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where a GEMM was tuned. hipBLASLt's solution indices are those of one build of the library and of
 * one device: elsewhere the same number is another algorithm, or none.
 *
 * @param provider {@code rocm} or {@code host}
 * @param profile of the software device; empty for another provider
 * @param arch of the device, such as {@code gfx1151}
 * @param device its name
 * @param hip the HIP runtime's version, which tells releases of ROCm apart
 * @param hipblaslt hipBLASLt's version, as the library tells it
 */
public record TunedOn(
    String provider, String profile, String arch, String device, String hip, String hipblaslt) {
  private static final String PROFILE = "profile ";

  /**
   * The place that a device is. Asks hipBLASLt, which makes its handle.
   *
   * @throws HiplabException when hipBLASLt cannot be had now
   */
  static TunedOn of(Device device) {
    Map<String, String> told = device.backend().info();
    BackendRef ref = device.backend().use();
    int version;
    try {
      version = Native.blasLtVersion(ref, device.index());
    } finally {
      device.backend().done();
    }
    return new TunedOn(
        told.getOrDefault("provider", ""),
        profile(told.getOrDefault("detail", "")),
        device.info().getOrDefault("arch", ""),
        device.name(),
        told.getOrDefault("version.hip", ""),
        "" + version);
  }

  /** The software device tells its profile in its detail; other providers have none. */
  private static String profile(String detail) {
    int at = detail.indexOf(PROFILE);
    if (at < 0) {
      return "";
    }
    String rest = detail.substring(at + PROFILE.length());
    int end = rest.indexOf(',');
    return end < 0 ? rest : rest.substring(0, end);
  }

  /** What is not the same here, such as {@code arch gfx942, here gfx1151}; empty when all is. */
  List<String> differences(TunedOn here) {
    List<String> found = new ArrayList<>();
    compare(found, "driver", provider, here.provider);
    compare(found, "profile", profile, here.profile);
    compare(found, "architecture", arch, here.arch);
    compare(found, "device", device, here.device);
    compare(found, "HIP version", hip, here.hip);
    compare(found, "hipBLASLt version", hipblaslt, here.hipblaslt);
    return found;
  }

  private static void compare(List<String> found, String what, String its, String here) {
    if (!its.equals(here)) {
      found.add(what + " " + named(its) + ", here " + named(here));
    }
  }

  private static String named(String value) {
    return value.isEmpty() ? "none" : value;
  }

  /** Such as {@code Radeon 8060S (gfx1151), hipBLASLt 100400, HIP 70226015}. */
  @Override
  public String toString() {
    String named = device.contains(arch) ? device : device + " (" + arch + ")";
    String software = device.contains(profile) ? "" : ", profile " + profile;
    return named + software + ", hipBLASLt " + hipblaslt + ", HIP " + named(hip);
  }
}
