package dev.hiplab.report.bundle;

import java.io.File;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The hidden file beside an archive that it is written to, then moved from. */
final class BundlePart {
  private static final long OLD_MILLIS = 24L * 60 * 60 * 1000;

  private BundlePart() {}

  /** A name that no other writer has, be it in a container with the same process ids. */
  static Path beside(Path folder, String archive) {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return folder.resolve("." + archive + "-" + HexFormat.of().formatHex(random) + ".part");
  }

  /** Removes what writers of this archive left that were killed; none takes a day. */
  static void sweep(Path folder, String archive) {
    File[] files = folder.toFile().listFiles();
    String start = "." + archive + "-";
    long old = System.currentTimeMillis() - OLD_MILLIS;
    for (File file : files == null ? new File[0] : files) {
      String name = file.getName();
      if (name.startsWith(start)
          && name.substring(start.length()).matches("[0-9a-f]{1,16}\\.part")
          && file.isFile()
          && file.lastModified() < old) {
        file.delete();
      }
    }
  }
}
