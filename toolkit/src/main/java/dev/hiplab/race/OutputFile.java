package dev.hiplab.race;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a run printed, as a file: all of it up to 1 MiB; of more, the first and the last half MiB,
 * with a line between them that says how much is left out. Thread-safe.
 */
final class OutputFile implements AutoCloseable {
  static final int HALF = 512 << 10;

  private final OutputStream file;
  private final byte[] tail = new byte[HALF]; // a ring
  private long total;
  private IOException failure;
  private boolean closed;

  /** Makes the file, and its folder; one of an earlier try is replaced. */
  OutputFile(Path path) throws IOException {
    Files.createDirectories(path.toAbsolutePath().getParent());
    file = Files.newOutputStream(path);
  }

  /** The same stream; what is read from it is also in the file. */
  InputStream copying(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int n = super.read(bytes, offset, length);
        if (n > 0) {
          add(bytes, offset, n);
        }
        return n;
      }
    };
  }

  /** Never fails: whoever reads must go on reading, or the command would block. */
  private synchronized void add(byte[] bytes, int offset, int length) {
    if (closed) {
      return;
    }
    int head = (int) Math.max(0, Math.min(length, HALF - total));
    try {
      file.write(bytes, offset, head);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    total += head;
    for (int i = head; i < length; i++, total++) {
      tail[(int) (total % HALF)] = bytes[offset + i];
    }
  }

  /**
   * Completes the file.
   *
   * @throws IOException when something could not be written
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (file) {
      long behind = total - HALF;
      if (behind > HALF) {
        String cut = "\n[hiplab: " + (behind - HALF) + " of " + total + " bytes left out here]\n";
        file.write(cut.getBytes(StandardCharsets.UTF_8));
        int oldest = (int) (total % HALF);
        file.write(tail, oldest, HALF - oldest);
        file.write(tail, 0, oldest);
      } else if (behind > 0) {
        file.write(tail, 0, (int) behind);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
