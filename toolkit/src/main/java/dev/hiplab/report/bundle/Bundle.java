package dev.hiplab.report.bundle;

import com.google.gson.JsonParseException;
import dev.hiplab.HiplabException;
import dev.hiplab.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * An archive that {@link BundleWriter} wrote, unpacked into a private folder for as long as it is
 * open.
 *
 * <p>It may come from anywhere. Nothing is written before all names and sizes were looked at; no
 * more is read of a file than the manifest says that it has; every entry becomes a plain file,
 * whatever else the archive calls it.
 */
public final class Bundle implements AutoCloseable {
  /** Bytes of all files of a bundle at most, and of its manifest. */
  static final long MOST_BYTES = 2L << 30;

  private static final int MANIFEST_BYTES = 64 << 20;

  private final TemporaryFolder unpacked;
  private final Path folder;

  private Bundle(TemporaryFolder unpacked, Path folder) {
    this.unpacked = unpacked;
    this.folder = folder;
  }

  /** Whether the file begins as an archive does, however it is called. */
  public static boolean is(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(4);
      return head.length == 4 && head[0] == 'P' && head[1] == 'K';
    }
  }

  /**
   * Unpacks it.
   *
   * @throws HiplabException naming what is wrong with it: names, sizes, sums, or no manifest
   */
  public static Bundle open(Path archive) throws IOException {
    return open(archive, MOST_BYTES);
  }

  static Bundle open(Path archive, long mostBytes) throws IOException {
    TemporaryFolder unpacked = null;
    try (ZipFile zip = new ZipFile(archive.toFile(), StandardCharsets.UTF_8)) {
      List<String> names =
          zip.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
      BundleNames.check(archive, names);
      BundleManifest manifest = manifest(archive, zip);
      Map<String, BundleManifest.File> files = listed(archive, manifest, names, mostBytes);
      unpacked = TemporaryFolder.make();
      Path folder = Files.createDirectory(unpacked.path().resolve("bundle"));
      for (BundleManifest.File file : files.values()) {
        unpack(archive, zip, file, folder.resolve(file.name()));
      }
      return new Bundle(unpacked, folder);
    } catch (IOException | RuntimeException e) {
      if (unpacked != null) {
        unpacked.close();
      }
      if (e instanceof ZipException) {
        throw new HiplabException(
            archive + " is no archive that can be read: " + e.getMessage(), e);
      }
      throw e;
    }
  }

  private static BundleManifest manifest(Path archive, ZipFile zip) throws IOException {
    ZipEntry entry = zip.getEntry(BundleManifest.FILE);
    if (entry == null) {
      throw new HiplabException(
          archive
              + " has no "
              + BundleManifest.FILE
              + ": it is not what report --bundle writes; give such a file, or a folder");
    }
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] bytes = in.readNBytes(MANIFEST_BYTES + 1);
      if (bytes.length > MANIFEST_BYTES) {
        throw BundleNames.refused(archive, "a manifest of more than 64 MiB");
      }
      return BundleManifest.fromJson(new String(bytes, StandardCharsets.UTF_8));
    } catch (JsonParseException e) {
      throw new HiplabException(
          BundleManifest.FILE + " in " + archive + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** The files of the manifest, which are all that the archive may have. */
  private static Map<String, BundleManifest.File> listed(
      Path archive, BundleManifest manifest, List<String> names, long mostBytes) {
    Map<String, BundleManifest.File> files = new HashMap<>();
    Set<String> there = new HashSet<>(names);
    long left = mostBytes;
    for (BundleManifest.File file : manifest.files()) {
      if (!there.contains(file.name())) {
        throw BundleNames.refused(archive, "no file '" + file.name() + "', which it lists");
      }
      left -= file.bytes() < 0 ? Long.MAX_VALUE : Math.min(file.bytes(), mostBytes + 1);
      if (left < 0) {
        throw BundleNames.refused(archive, "more than " + mostBytes + " bytes in its files");
      }
      files.put(file.name(), file);
    }
    List<String> others = new ArrayList<>(names);
    others.removeAll(files.keySet());
    others.remove(BundleManifest.FILE);
    if (!others.isEmpty()) {
      throw BundleNames.refused(archive, "a file '" + others.get(0) + "', which it does not list");
    }
    return files;
  }

  /** Writes one file, of which no more is read than a buffer beyond what it should have. */
  static void unpack(Path archive, ZipFile zip, BundleManifest.File file, Path target)
      throws IOException {
    Files.createDirectories(target.getParent());
    MessageDigest digest = BundleEntries.sha256();
    long bytes = 0;
    try (InputStream in = zip.getInputStream(zip.getEntry(file.name()));
        OutputStream out = Files.newOutputStream(target)) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0 && bytes <= file.bytes(); n = in.read(buffer)) {
        bytes += n;
        digest.update(buffer, 0, n);
        out.write(buffer, 0, n);
      }
    }
    if (bytes != file.bytes() || !HexFormat.of().formatHex(digest.digest()).equals(file.sha256())) {
      throw new HiplabException(
          archive
              + " is damaged or was changed: "
              + file.name()
              + " is not the file whose SHA-256 its manifest has; ask for the bundle again");
    }
  }

  /** The folder with the campaigns, each in a folder of its own. */
  public Path folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    unpacked.close();
  }
}
