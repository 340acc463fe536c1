package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import picocli.CommandLine.Option;

/** Which device a command is to use. */
final class DeviceOptions {
  @Option(
      names = "--driver",
      paramLabel = "NAME",
      description = "rocm, host or auto (default: HIPLAB_DRIVER, else auto)")
  String driver = System.getProperty("hiplab.driver", "");

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "profile of the software device: splitk or gfx1151 (default: HIPLAB_PROFILE, else splitk)")
  String profile = System.getProperty("hiplab.profile", "");

  @Option(
      names = "--devices",
      paramLabel = "N",
      description =
          "devices that the software device shows, 1 to 16 (default: HIPLAB_HOST_DEVICES, else 1)")
  private Integer devices;

  Options toOptions() {
    if (devices == null) {
      return Options.defaults().withDriver(driver).withProfile(profile);
    }
    if (devices < 1 || devices > 16) {
      throw new HiplabException("--devices is " + devices + ", allowed are 1 to 16");
    }
    return Options.of(driver, profile, devices);
  }
}
