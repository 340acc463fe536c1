package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import dev.hiplab.measure.Place;
import dev.hiplab.measure.SurveySettings;
import dev.hiplab.race.ShellWord;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

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

  /** What the command line does not say is as it was for a survey that is resumed. */
  void otherwise(ParseResult said, SurveySettings there) {
    if (!said.hasMatchedOption("--driver")) {
      driver = there.place().driver();
    }
    if (!said.hasMatchedOption("--profile")) {
      profile = there.place().profile();
    }
    if (devices == null && there.devices() > 0 && isHost(there.place())) {
      devices = there.devices();
    }
  }

  /** The options that choose where something ran, each with a space before it. */
  static String of(Place place, int devices) {
    String text = " --driver " + ShellWord.of(place.driver());
    if (!place.profile().isEmpty()) {
      text += " --profile " + ShellWord.of(place.profile());
    }
    return text + (isHost(place) && devices > 1 ? " --devices " + devices : "");
  }

  private static boolean isHost(Place place) {
    return place.driver().equals("host");
  }

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
