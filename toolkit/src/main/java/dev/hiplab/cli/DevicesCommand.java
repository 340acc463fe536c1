package dev.hiplab.cli;

import dev.hiplab.Backend;
import dev.hiplab.Device;
import dev.hiplab.Options;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Which devices there are, and why this driver. */
@Command(
    name = "devices",
    description = {
      "Shows the drivers that were looked at and the devices of the chosen one.",
      "Exit code: 0; 2 when the driver that was asked for is not usable, or the command could not be"
          + " done as it was given."
    },
    mixinStandardHelpOptions = true)
final class DevicesCommand implements Callable<Integer> {
  @Mixin private DeviceOptions device = new DeviceOptions();

  @Override
  public Integer call() {
    Options options = device.toOptions();
    try (Backend backend = Backend.open(options)) {
      System.out.println(Progress.firstLine(backend));
      // The first line has the reason, once for all.
      String reason = " (" + backend.info().get("reason") + ")";
      for (Device each : backend.devices()) {
        System.out.println(each.toString().replace(reason, ""));
      }
    }
    // All of them, also when one was asked for by name.
    Map<String, String> looked = Backend.probe(options.withDriver("auto"));
    for (int i = 0; looked.containsKey("candidate." + i + ".name"); i++) {
      String key = "candidate." + i + ".";
      boolean usable = "1".equals(looked.get(key + "usable"));
      System.out.println(
          "driver "
              + looked.get(key + "name")
              + ": "
              + (usable ? "usable" : "not usable")
              + ", "
              + looked.get(key + "reason"));
    }
    return 0;
  }
}
