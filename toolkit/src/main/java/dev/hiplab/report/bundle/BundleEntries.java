package dev.hiplab.report.bundle;

import dev.hiplab.report.WellFormed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Puts files into an archive and notes what they hold. */
final class BundleEntries {
  private final ZipOutputStream zip;
  private final List<BundleManifest.File> written = new ArrayList<>();

  BundleEntries(ZipOutputStream zip) {
    this.zip = zip;
  }

  void add(String name, String text) throws IOException {
    add(name, new ByteArrayInputStream(WellFormed.utf8(text)));
  }

  void add(String name, InputStream in) throws IOException {
    MessageDigest digest = sha256();
    zip.putNextEntry(new ZipEntry(name));
    byte[] buffer = new byte[1 << 16];
    long bytes = 0;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      zip.write(buffer, 0, n);
      digest.update(buffer, 0, n);
      bytes += n;
    }
    zip.closeEntry();
    written.add(new BundleManifest.File(name, bytes, HexFormat.of().formatHex(digest.digest())));
  }

  /** The manifest, which does not list itself. */
  void addLast(BundleManifest manifest) throws IOException {
    zip.putNextEntry(new ZipEntry(BundleManifest.FILE));
    zip.write(WellFormed.utf8(manifest.toJson()));
    zip.closeEntry();
  }

  List<BundleManifest.File> written() {
    return List.copyOf(written);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // every Java has it
    }
  }
}
