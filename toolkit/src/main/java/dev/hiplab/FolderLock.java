package dev.hiplab;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A folder that is being written, such as a campaign's, held by one process at a time. Thread-safe.
 *
 * <p>A file of its own, which holds the number of its process and which nobody reads who may hold
 * it: Linux drops all locks that a process has on a file as soon as it closes any descriptor of
 * that file (fcntl(2)), such as the one with which a report reads {@code runs.jsonl} in the midst
 * of a campaign.
 */
public final class FolderLock implements AutoCloseable {
  /** Name of the lock's file in the folder. */
  public static final String FILE = ".lock";

  private static final int LONGEST_PID = 20;

  private final Path file;
  private final FileChannel channel;

  private FolderLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the folder.
   *
   * @param what is written to it, such as {@code campaign}
   * @throws HiplabException when another one holds it
   */
  public static FolderLock take(Path folder, String what) throws IOException {
    Path file = folder.resolve(FILE);
    while (true) {
      Object before = key(file);
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      String holder = holder(channel);
      if (holder != null) {
        channel.close();
        throw new HiplabException(
            "another "
                + what
                + " is writing to "
                + folder
                + holder
                + "; wait for it, or name another folder");
      }
      // Whoever held it may have removed it between our opening and our locking it; one that was
      // not there before is looked at once more.
      if (before != null && before.equals(key(file))) {
        channel.truncate(0);
        channel.write(
            ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)));
        return new FolderLock(file, channel);
      }
      channel.close();
    }
  }

  /** Which file has that name now; null when none has. */
  private static Object key(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException removed) {
      return null;
    }
  }

  /** Null when the lock is ours now; else who has it, in brackets, empty when that is not known. */
  private static String holder(FileChannel channel) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return null;
      }
    } catch (OverlappingFileLockException heldByThisProcess) {
      return " (this process)";
    }
    ByteBuffer text = ByteBuffer.allocate(LONGEST_PID);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), UTF_8);
    return pid.matches("[0-9]+") ? " (process " + pid + ")" : "";
  }

  /** Removes it before it is free: the next one makes its own. */
  @Override
  public void close() throws IOException {
    try (channel) {
      Files.deleteIfExists(file);
    }
  }
}
