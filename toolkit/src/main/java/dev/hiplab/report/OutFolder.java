package dev.hiplab.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

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
   * A folder below {@link #base()} that does not exist yet: {@code name}, the time, and a number
   * when that is taken. So a cell can run twice without mixing two campaigns.
   */
  public static Path fresh(String name) {
    String time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
    Path folder = base().resolve(name + "-" + time);
    for (int i = 2; Files.exists(folder); i++) {
      folder = base().resolve(name + "-" + time + "-" + i);
    }
    return folder;
  }
}
