package dev.hiplab;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;

/**
 * One file to unpack, as this jar holds it.
 *
 * @param name file name, no path
 * @param size bytes
 * @param crc CRC-32 of the content
 * @param url where to read it
 */
record NativeFile(String name, long size, long crc, URL url) {
  private static final String FOLDER = "/dev/hiplab/native/";

  /** What is to be unpacked, and the hash over all of it that names the folder. */
  record Bundle(String hash, List<NativeFile> files) {}

  /** Reads the list in the jar. The list itself comes last among the files. */
  static Bundle bundle() {
    URL list = NativeFile.class.getResource(FOLDER + NativeLibrary.LIST);
    if (list == null) {
      throw new HiplabException(
          "there are no native libraries in this jar or class path (no resource "
              + FOLDER
              + NativeLibrary.LIST
              + "); build it whole with mvn package");
    }
    try {
      Map<String, String> keys = KeyValues.texts(text(list));
      String hash = plainName("hash", keys.get("hash"));
      List<NativeFile> files = new ArrayList<>();
      String names = keys.getOrDefault("files", "") + "," + keys.getOrDefault("raw", "");
      for (String name : names.split(",")) {
        plainName("file", name);
        URL url = NativeFile.class.getResource(FOLDER + NativeLibrary.PLATFORM + "/" + name);
        if (url == null) {
          throw new HiplabException(
              "the native library "
                  + name
                  + " is missing in this jar; build it again with mvn"
                  + " package");
        }
        files.add(of(name, url));
      }
      files.add(of(NativeLibrary.LIST, list));
      return new Bundle(hash, files);
    } catch (IOException e) {
      throw new HiplabException("cannot read the native libraries in this jar: " + e.getMessage());
    }
  }

  /** Whether a file on disk has this content. */
  boolean matches(File file) throws IOException {
    if (file.length() != size) {
      return false;
    }
    try (InputStream in = new java.io.FileInputStream(file)) {
      return crcOf(in) == crc;
    }
  }

  private static NativeFile of(String name, URL url) throws IOException {
    if (url.openConnection() instanceof JarURLConnection connection) {
      JarEntry entry = connection.getJarEntry();
      return new NativeFile(name, entry.getSize(), entry.getCrc(), url);
    }
    long size = url.openConnection().getContentLengthLong();
    try (InputStream in = url.openStream()) {
      return new NativeFile(name, size, crcOf(in), url);
    }
  }

  private static long crcOf(InputStream in) throws IOException {
    CRC32 crc = new CRC32();
    byte[] chunk = new byte[1 << 18];
    for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
      crc.update(chunk, 0, n);
    }
    return crc.getValue();
  }

  private static String text(URL url) throws IOException {
    try (InputStream in = url.openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  // These become paths, so nothing may climb out of the folder.
  private static String plainName(String what, String name) {
    boolean plain = name != null && !name.isEmpty() && name.charAt(0) != '.';
    for (int i = 0; plain && i < name.length(); i++) {
      char c = name.charAt(i);
      plain = Character.isLetterOrDigit(c) || c == '.' || c == '_' || c == '-' || c == '+';
    }
    if (!plain) {
      throw new HiplabException(
          NativeLibrary.LIST
              + " in this jar gives no plain "
              + what
              + " but \""
              + name
              + "\"; build it again with mvn package");
    }
    return name;
  }
}
