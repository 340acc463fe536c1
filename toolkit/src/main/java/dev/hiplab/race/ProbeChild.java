package dev.hiplab.race;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What a main class that {@link ChildProbe} runs says to its parent, on lines that no library's
 * output passes for. From its making on the process ends when its parent does, however that died,
 * and whatever hangs here. Thread-safe.
 */
public final class ProbeChild {
  /** Key of the last line. */
  static final String END = "end";

  private static final long PATIENCE_MILLIS = 60_000;

  private final PrintStream out = System.out;
  private final String mark;

  /**
   * The process's own; at most one.
   *
   * @param token the first argument of main
   */
  public ProbeChild(String token) {
    mark = ChildReport.mark(token);
    new ParentWatch().start();
    ParentGuard.start();
  }

  /** Tells one line; ends of line in it become blanks. */
  public void say(String line) {
    // Begins on a line of its own, also after a library that printed without an end of line.
    String text = "\n" + mark + line.replace('\n', ' ').replace('\r', ' ') + "\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
    out.flush();
  }

  /**
   * All is said. Does not return: the parent kills this process then, as the exit of a library may
   * hang.
   */
  public void end() {
    say(END);
    try {
      Thread.sleep(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      // at once, then
    }
    Runtime.getRuntime().halt(0);
  }
}
