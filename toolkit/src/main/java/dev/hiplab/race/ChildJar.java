package dev.hiplab.race;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The classes that a child needs and no others, as one jar: a JVM opens 300 entries faster than the
 * toolkit's thousands, and class-data sharing takes jars only, no folders of classes.
 */
final class ChildJar {
  private final Map<String, byte[]> entries = new TreeMap<>();

  /** Collects from jars and folders; the first one that has an entry wins. */
  ChildJar(Collection<Path> classPath) throws IOException {
    for (Path path : classPath) {
      if (Files.isDirectory(path)) {
        addFolder(path);
      } else {
        addJar(path);
      }
    }
  }

  /** Names the contents: 16 hexadecimal digits. */
  String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      entries.forEach(
          (name, bytes) -> {
            digest.update((name + '\n' + bytes.length + '\n').getBytes());
            digest.update(bytes);
          });
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Writes it, complete or not at all, also when the power fails; entries are stored, not
   * compressed. Its length and CRC are kept beside it.
   */
  void write(Path jar) throws IOException {
    Files.deleteIfExists(sum(jar));
    Path draft = Files.createTempFile(jar.getParent(), "child-", ".draft");
    try {
      try (OutputStream out = Files.newOutputStream(draft);
          ZipOutputStream zip = new ZipOutputStream(out)) {
        zip.setMethod(ZipOutputStream.STORED);
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
          zip.putNextEntry(stored(entry.getKey(), entry.getValue()));
          zip.write(entry.getValue());
          zip.closeEntry();
        }
      }
      // Without this a rename can reach the disk before the bytes do.
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      String sum = sumOf(draft);
      Files.move(draft, jar, StandardCopyOption.ATOMIC_MOVE);
      Files.writeString(sum(jar), sum);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Whether the jar is there as it was written; a torn or damaged one is not. */
  static boolean isWhole(Path jar) {
    try {
      return Files.readString(sum(jar)).equals(sumOf(jar));
    } catch (IOException notThere) {
      return false;
    }
  }

  private static Path sum(Path jar) {
    return jar.resolveSibling(jar.getFileName() + ".crc");
  }

  private static String sumOf(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return bytes.length + " " + Long.toHexString(crc.getValue());
  }

  private static ZipEntry stored(String name, byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    ZipEntry entry = new ZipEntry(name);
    entry.setSize(bytes.length);
    entry.setCrc(crc.getValue());
    entry.setTime(0);
    return entry;
  }

  private void addJar(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile(), false)) {
      for (var all = jar.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        if (wanted(entry.getName())) {
          try (var in = jar.getInputStream(entry)) {
            entries.putIfAbsent(entry.getName(), in.readAllBytes());
          }
        }
      }
    }
  }

  private void addFolder(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString().replace('\\', '/');
        if (wanted(name)) {
          entries.putIfAbsent(name, Files.readAllBytes(file));
        }
      }
    }
  }

  private static boolean wanted(String name) {
    if (name.startsWith("org/bytedeco/javacpp/")) {
      return name.endsWith(".class");
    }
    if (name.startsWith("META-INF/services/dev.hiplab.")) {
      return true; // the raw calls' loader
    }
    return name.startsWith("dev/hiplab/")
        && !name.startsWith("dev/hiplab/report/")
        && !name.startsWith("dev/hiplab/cli/")
        && !name.startsWith("dev/hiplab/doctor/")
        && !name.startsWith("dev/hiplab/shaded/")
        && (name.endsWith(".class") || name.endsWith(".properties"));
  }
}
