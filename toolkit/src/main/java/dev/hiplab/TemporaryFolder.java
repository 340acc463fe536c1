package dev.hiplab;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder that only this user can enter, for as long as it is open. It is removed when it closes,
 * and when the process ends, by Ctrl-C too; one of a process that was killed is removed by the next
 * that makes one.
 */
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final FileChannel lock; // null on a file system without locks
  private final Thread hook;

  private TemporaryFolder(Path path) {
    this.path = path;
    this.lock = TemporaryFolders.lock(path);
    this.hook = new Thread(() -> NativeCache.delete(path), "hiplab-temporary");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Makes one in the system's temporary folder, with mode 0700. */
  public static TemporaryFolder make() throws IOException {
    TemporaryFolder folder =
        new TemporaryFolder(Files.createTempDirectory(TemporaryFolders.PREFIX));
    TemporaryFolders.sweep(folder.path);
    return folder;
  }

  /** Where it is. It holds a lock's file; put yours into a folder of their own. */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // The hook is deleting too.
    }
    NativeCache.delete(path);
    if (lock != null) {
      lock.close();
    }
    TemporaryFolders.forget(path);
  }
}
