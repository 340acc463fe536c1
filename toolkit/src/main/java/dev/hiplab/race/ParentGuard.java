package dev.hiplab.race;

import java.io.IOException;

/**
 * A shell that ends this process with SIGKILL when its parent is gone, which {@link ParentWatch}
 * cannot always do: {@code Runtime.halt} calls exit(3), which runs the destructors of all libraries
 * (one may hang) and waits for the loader's lock, which a thread holds as long as the constructor
 * of a library hangs.
 *
 * <p>The shell has this process's standard input, whose other end the parent holds. It is started
 * before anything can hang, as the JVM looks native methods up under that same lock, and goes with
 * this process: the parent kills what its child has started, and closes the stream.
 */
final class ParentGuard {
  private ParentGuard() {}

  /** Where no shell can be started, ParentWatch is all there is. */
  static void start() {
    String pid = Long.toString(ProcessHandle.current().pid());
    // With what it has started (proc(5), task/TID/children): a compiler may hang as well.
    String text = "read -r end; kill -9 PID $(cat /proc/PID/task/*/children)".replace("PID", pid);
    try {
      new ProcessBuilder("/bin/sh", "-c", text)
          .redirectInput(ProcessBuilder.Redirect.INHERIT)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException noShell) {
      // /bin/sh is missing, or there is no room for one more process.
    }
  }
}
