package dev.hiplab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a person looks at the output. */
final class Terminal {
  private Terminal() {}

  /** Whether standard error can show a progress bar. */
  static boolean showsProgress() {
    String kind = System.getenv("TERM");
    if (kind == null || kind.equals("dumb")) {
      return false;
    }
    try {
      // System.console() says the opposite things in JDK 17 and 22.
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }
}
