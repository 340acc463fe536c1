package dev.hiplab.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where notebooks and jshell put files: system property {@code hiplab.out}, else environment
 * variable {@code HIPLAB_OUT}, else {@code hiplab-runs} in the working folder.
 */
public final class OutFolder {
  private OutFolder() {}

  /** The folder; not made yet. */
  public static Path base() {
    String environment = System.getenv().getOrDefault("HIPLAB_OUT", "");
    String named = System.getProperty("hiplab.out", environment);
    return Path.of(named.isBlank() ? "hiplab-runs" : named);
  }

  /**
   * A folder below {@link #base()} that does not exist: {@code name}, the time, and a number that
   * nobody else has. So a cell can run twice, and several processes at once, without two campaigns
   * in one folder.
   */
  public static Path fresh(String name) {
    String time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
    Path folder;
    do {
      String number = Integer.toHexString(0x1000 + ThreadLocalRandom.current().nextInt(0xf000));
      folder = base().resolve(name + "-" + time + "-" + number);
    } while (Files.exists(folder));
    return folder;
  }
}
