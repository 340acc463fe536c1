package dev.hiplab;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Removes the temporary folders of processes that were killed before they could do it. A living one
 * holds a lock in its folder; the system drops that however the process ends. A process id would
 * not do: containers that share the folder number their processes each for itself.
 */
final class TemporaryFolders {
  static final String PREFIX = "hiplab-";
  static final String LOCK = ".in-use";
  private static final long SETTLED_MILLIS = 60_000;

  // Closing any channel of a file drops all locks that this process has on it (POSIX), so its own
  // folders must not be tried. By name: the way to them may differ.
  private static final Set<String> OWN = ConcurrentHashMap.newKeySet();

  private static FileChannel claimed; // guarded by the class; open until the process ends

  private TemporaryFolders() {}

  /** Marks the folder as in use by this process. */
  static synchronized void claim(Path folder) {
    claimed = lock(folder);
  }

  /** The same for as long as the channel is open; null when there can be no lock. */
  static FileChannel lock(Path folder) {
    OWN.add(folder.getFileName().toString());
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      channel.lock();
    } catch (IOException | OverlappingFileLockException e) {
      // A file system without locks: then nothing is swept there either.
    }
    return channel;
  }

  /** The folder is gone. */
  static void forget(Path folder) {
    OWN.remove(folder.getFileName().toString());
  }

  /** Removes the abandoned folders beside this one. */
  static void sweep(Path own) {
    File[] all = own.getParent().toFile().listFiles();
    if (all == null) {
      return;
    }
    for (File file : all) {
      String name = file.getName();
      if (isName(name) && !OWN.contains(name) && !name.equals(own.getFileName().toString())) {
        sweepOne(file.toPath());
      }
    }
  }

  private static void sweepOne(Path folder) {
    try {
      // Between making the lock file and locking it a process is not yet told from a dead one.
      Path lock = folder.resolve(LOCK);
      if (!PrivateFolder.isOwnFolder(folder)
          || !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)
          || lock.toFile().lastModified() > System.currentTimeMillis() - SETTLED_MILLIS) {
        return;
      }
      try (FileChannel channel =
          FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        if (channel.tryLock() != null) {
          NativeCache.delete(folder);
        }
      }
    } catch (IOException | OverlappingFileLockException e) {
      // Another process's to remove, or gone.
    }
  }

  // What createTempDirectory makes: the prefix and a number.
  private static boolean isName(String name) {
    boolean matches = name.startsWith(PREFIX) && name.length() > PREFIX.length();
    for (int i = PREFIX.length(); matches && i < name.length(); i++) {
      matches = name.charAt(i) >= '0' && name.charAt(i) <= '9';
    }
    return matches;
  }
}
