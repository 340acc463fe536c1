package dev.hiplab;

import java.util.Map;

/** What to do when the memory of the software device does not suffice. */
final class SoftwareMemory {
  private SoftwareMemory() {}

  /**
   * For the end of the error's sentence: how much the device has, how much of it is in use, and
   * which variable gives it more. Empty for other errors and for other drivers, whose memory is
   * what was built in.
   */
  static String advice(Device device, HiplabException e) {
    Backend backend = device.backend();
    if (!OutOfDeviceMemoryException.is(e) || !"host".equals(backend.info().get("provider"))) {
      return "";
    }
    try {
      long total = Long.parseLong(device.info().get("totalBytes"));
      Map<String, Long> counters = backend.counters();
      int devices = backend.devices().size();
      return "; "
          + (devices == 1 ? "the software device has " : "each software device has ")
          + bytes(total)
          + ", "
          + bytes(counters.getOrDefault("live.memory_bytes", 0L))
          + (devices == 1 ? " of it in use" : " are in use on all " + devices)
          + ": to give it more, set HIPLAB_HOST_MEMORY_BYTES (bytes a device) before the process"
          + " starts";
    } catch (HiplabException closing) {
      return ""; // the sentence that was to be completed says more
    }
  }

  private static String bytes(long count) {
    return count < 10 << 20 ? count + " bytes" : (count >> 20) + " MiB";
  }
}
