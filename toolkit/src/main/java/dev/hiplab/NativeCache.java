package dev.hiplab;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Unpacks the native libraries into {@code <cache>/hiplab/<hash>/}, safe against other processes
 * that do the same at once, a process that died half way, and other users.
 *
 * <p>The cache is {@code -Dhiplab.cache}, else HIPLAB_CACHE, else XDG_CACHE_HOME, else {@code
 * ~/.cache}. When nothing can be written there, a private temporary folder serves this process.
 */
final class NativeCache {
  private NativeCache() {}

  /** The folder that holds the libraries, unpacked and checked. */
  static String unpack() {
    NativeFile.Bundle bundle = NativeFile.bundle();
    Path cache = location();
    try {
      return unpackTo(cache, bundle).toString();
    } catch (IOException e) {
      return unpackToTemporary(bundle, cache, e).toString();
    }
  }

  static Path location() {
    String[] said = {
      System.getProperty("hiplab.cache"),
      System.getenv("HIPLAB_CACHE"),
      System.getenv("XDG_CACHE_HOME")
    };
    for (String folder : said) {
      if (folder != null && !folder.isBlank()) {
        return Path.of(folder).toAbsolutePath();
      }
    }
    // As the native cache of kernels does, and shells: HOME may be said to be another folder.
    String home = System.getenv("HOME");
    boolean absolute = home != null && home.startsWith("/");
    return Path.of(absolute ? home : System.getProperty("user.home", "."), ".cache")
        .toAbsolutePath();
  }

  /**
   * @throws IOException when the cache cannot be written, or others could swap folders in it
   * @throws HiplabException when a folder there could be changed by another user
   */
  static Path unpackTo(Path cache, NativeFile.Bundle bundle) throws IOException {
    PrivateFolder.makeParent(cache);
    PrivateFolder.requireSafeParent(cache);
    Path folder =
        PrivateFolder.at(PrivateFolder.at(cache.resolve("hiplab")).resolve(bundle.hash()));
    if (!isWhole(folder, bundle.files())) {
      // One process writes, the others wait and find it done.
      try (FileChannel channel =
          FileChannel.open(
              folder.resolve(".lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS)) {
        lock(channel); // closing the channel releases it
        removeLeftovers(folder);
        for (NativeFile file : bundle.files()) {
          Path target = folder.resolve(file.name());
          if (!isWhole(target, file)) {
            removeFolder(target);
            write(file, target);
          }
        }
      }
    }
    return folder;
  }

  // Without a lock (a file system that has none, or another class loader of this process that holds
  // it) several may write at once: each writes a file of its own and renames it.
  private static void lock(FileChannel channel) {
    try {
      channel.lock();
    } catch (IOException | OverlappingFileLockException e) {
      // see above
    }
  }

  private static boolean isWhole(Path folder, List<NativeFile> files) throws IOException {
    for (NativeFile file : files) {
      if (!isWhole(folder.resolve(file.name()), file)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWhole(Path path, NativeFile file) throws IOException {
    try {
      return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && file.matches(path.toFile());
    } catch (NoSuchFileException | java.io.FileNotFoundException e) {
      return false;
    }
  }

  // A container's bind mount of a file that was not there yet leaves an empty folder by its name.
  private static void removeFolder(Path target) throws IOException {
    if (!Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.delete(target);
    } catch (DirectoryNotEmptyException e) {
      throw new HiplabException(
          target + " is a folder with files in it where a native library belongs; delete it");
    }
  }

  // A file is there whole or not at all, also after a power cut, and a process that has the old one
  // mapped keeps it: hence a file beside it, fsync and a rename instead of writing in place.
  private static void write(NativeFile file, Path target) throws IOException {
    Path part = Files.createTempFile(target.getParent(), ".part-", null);
    try {
      try (InputStream in = file.url().openStream();
          FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
        byte[] chunk = new byte[1 << 18];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
          ByteBuffer bytes = ByteBuffer.wrap(chunk, 0, n);
          while (bytes.hasRemaining()) {
            out.write(bytes);
          }
        }
        out.force(true);
      }
      if (!file.matches(part.toFile())) {
        throw new IOException(
            file.name() + " came out of the jar damaged (size or checksum differs)");
      }
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  // Parts of a process that was killed while it unpacked. Called under the lock; without one, a
  // young part may be another process's.
  private static void removeLeftovers(Path folder) {
    File[] all = folder.toFile().listFiles();
    if (all == null) {
      return;
    }
    long anHourAgo = System.currentTimeMillis() - 3_600_000;
    for (File file : all) {
      if (file.getName().startsWith(".part-") && file.lastModified() < anHourAgo) {
        file.delete();
      }
    }
  }

  private static Path unpackToTemporary(NativeFile.Bundle bundle, Path cache, IOException reason) {
    Path folder = null;
    try {
      folder = Files.createTempDirectory(TemporaryFolders.PREFIX); // mode 0700
      PrivateFolder.requireSafeParent(folder.getParent());
      deleteAtExit(folder);
      TemporaryFolders.claim(folder);
      TemporaryFolders.sweep(folder);
      for (NativeFile file : bundle.files()) {
        write(file, folder.resolve(file.name()));
      }
    } catch (IOException e) {
      if (folder != null) {
        delete(folder);
      }
      long bytes = 0;
      for (NativeFile file : bundle.files()) {
        bytes += file.size();
      }
      throw new HiplabException(
          "cannot unpack the native libraries ("
              + (bytes >> 20)
              + " MiB): neither into "
              + cache
              + " ("
              + text(reason)
              + ") nor into a temporary folder ("
              + text(e)
              + "); set HIPLAB_CACHE to a writable folder with room");
    }
    System.err.println(
        "hiplab: cannot use the cache "
            + cache
            + " ("
            + text(reason)
            + "); the native libraries"
            + " are in "
            + folder
            + " for this process; set HIPLAB_CACHE to a folder that only you can write");
    return folder;
  }

  private static void deleteAtExit(Path folder) {
    Thread hook =
        new Thread("hiplab-unpacked") {
          @Override
          public void run() {
            delete(folder);
          }
        };
    Runtime.getRuntime().addShutdownHook(hook);
  }

  static void delete(Path folder) {
    File[] files = folder.toFile().listFiles();
    if (files != null) {
      for (File file : files) {
        if (Files.isDirectory(file.toPath(), LinkOption.NOFOLLOW_LINKS)) {
          delete(file.toPath()); // what children were started from
        }
        file.delete();
      }
    }
    folder.toFile().delete();
  }

  // The message of a file system exception is often the path alone.
  static String text(IOException e) {
    String kind = e.getClass().getSimpleName();
    String message = e.getMessage();
    return message == null ? kind : kind.equals("IOException") ? message : kind + ": " + message;
  }
}
