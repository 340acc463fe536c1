package dev.hiplab.race;

import com.google.gson.JsonParseException;
import dev.hiplab.FolderLock;
import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs of a campaign on disk: {@code runs.jsonl}, one line a run, on the disk before the next
 * run starts. A last line that a power cut or a kill tore is not a run; it is taken off when the
 * log is opened for more.
 */
public final class RunLog implements AutoCloseable {
  /** Name of the file in a campaign's folder. */
  public static final String FILE = "runs.jsonl";

  private final FolderLock lock;
  private final FileChannel channel;

  private RunLog(FolderLock lock, FileChannel channel) {
    this.lock = lock;
    this.channel = channel;
  }

  /**
   * The runs that were written, oldest first.
   *
   * @param path a campaign's folder or its {@code runs.jsonl}
   * @throws HiplabException when there are none, or when a line is no run
   */
  public static List<RunRecord> read(Path path) throws IOException {
    Path file = Files.isDirectory(path) ? path.resolve(FILE) : path;
    if (!Files.isRegularFile(file)) {
      throw new HiplabException(
          path
              + " holds no campaign: there is no "
              + FILE
              + "; give a folder that reproduce wrote, or one that holds such at most two levels"
              + " below");
    }
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, 0, whole(bytes), StandardCharsets.UTF_8);
    List<RunRecord> runs = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n")) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      try {
        runs.add(RunJson.read(line));
      } catch (JsonParseException e) {
        throw new HiplabException(
            "line " + number + " of " + file + " is no run: " + e.getMessage());
      }
    }
    return runs;
  }

  /**
   * Opens a folder's log for more runs; it is this process's until closed.
   *
   * @throws HiplabException when another campaign has it open
   */
  static RunLog open(Path folder) throws IOException {
    FolderLock lock = FolderLock.take(folder, "campaign");
    try {
      return new RunLog(
          lock,
          FileChannel.open(
              folder.resolve(FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE));
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Takes off a torn last line; what is added later begins a line of its own. */
  void tidy() throws IOException {
    byte[] bytes = new byte[(int) channel.size()];
    channel.read(ByteBuffer.wrap(bytes), 0);
    int whole = whole(bytes);
    channel.truncate(whole);
    channel.position(whole);
    if (whole > 0 && bytes[whole - 1] != '\n') {
      channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
    }
  }

  /** Whether nothing was ever written. */
  boolean isEmpty() throws IOException {
    return channel.size() == 0;
  }

  /** Adds a run; it is on the disk when this returns. */
  void add(RunRecord run) throws IOException {
    ByteBuffer line = StandardCharsets.UTF_8.encode(RunJson.write(run) + "\n");
    while (line.hasRemaining()) {
      channel.write(line);
    }
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      channel.close();
    }
  }

  /** Length of what is whole: up to the last line end, and past it when the rest is a run too. */
  private static int whole(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    String rest = new String(bytes, end, bytes.length - end, StandardCharsets.UTF_8);
    try {
      if (!rest.isBlank()) {
        RunJson.read(rest);
        return bytes.length;
      }
    } catch (JsonParseException torn) {
      return end;
    }
    return end;
  }
}
