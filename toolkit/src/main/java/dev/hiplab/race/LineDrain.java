package dev.hiplab.race;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads a child's output as it comes and keeps its last lines only, so that a child that prints
 * without end neither blocks on a full pipe nor fills this process.
 */
final class LineDrain extends Thread {
  private static final int LINES = 400;
  private static final int LINE_BYTES = 4096;

  private final InputStream in;
  private final Consumer<String> onLine;
  private final Deque<String> last = new ArrayDeque<>();
  private volatile long lines; // so far; written by this thread only

  LineDrain(String name, InputStream in, Consumer<String> onLine) {
    super(name);
    setDaemon(true);
    this.in = in;
    this.onLine = onLine;
    start();
  }

  @Override
  public void run() {
    byte[] chunk = new byte[8192];
    byte[] line = new byte[LINE_BYTES];
    int length = 0;
    try {
      for (int n; (n = in.read(chunk)) >= 0; ) {
        for (int i = 0; i < n; i++) {
          if (chunk[i] == '\n') {
            take(line, length);
            length = 0;
          } else if (length < LINE_BYTES) {
            line[length++] = chunk[i];
          }
        }
      }
    } catch (IOException closed) {
      // The process was killed, or something it started holds the pipe: what came is enough.
    }
    if (length > 0) {
      take(line, length);
    }
  }

  private void take(byte[] bytes, int length) {
    String line = new String(bytes, 0, length, StandardCharsets.UTF_8);
    onLine.accept(line);
    lines++;
    synchronized (last) {
      if (last.size() == LINES) {
        last.removeFirst();
      }
      last.addLast(line);
    }
  }

  /**
   * Waits for the end of the stream: a second without a line, ten in all, as a grandchild may hold
   * it open, and print, for ever.
   */
  void finish() throws InterruptedException {
    long before = -1;
    for (int second = 0; second < 10 && isAlive() && lines != before; second++) {
      before = lines;
      join(1000);
    }
  }

  /** The last lines, oldest first. */
  List<String> lines() {
    synchronized (last) {
      return new ArrayList<>(last);
    }
  }
}
