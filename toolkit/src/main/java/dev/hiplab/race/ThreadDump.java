package dev.hiplab.race;

import dev.hiplab.NativeLibrary;
import dev.hiplab.scenario.Frames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks a hanging child for its stacks and says, in a clause, where its workers wait. It also asks
 * for the points that they passed last, which the child writes to standard error.
 */
final class ThreadDump {
  private ThreadDump() {}

  /** Empty when the child does not answer within a second or so. */
  static String where(Process process, LineDrain out) throws InterruptedException {
    try {
      // SIGQUIT makes a JVM print its stacks; the Java API cannot send it.
      signal(process, "QUIT");
      process.waitFor(700, TimeUnit.MILLISECONDS);
      // Last: it ends a child that never got as far as its handler.
      signal(process, Integer.toString(NativeLibrary.pointsSignal()));
      process.waitFor(100, TimeUnit.MILLISECONDS);
    } catch (IOException noKill) {
      return "";
    }
    return read(out.lines());
  }

  private static void signal(Process process, String name)
      throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    kill.waitFor(1, TimeUnit.SECONDS);
    kill.destroyForcibly();
  }

  /** Reads the dump: for each worker the innermost frame of this project, or of a scenario. */
  static String read(List<String> lines) {
    List<String> found = new ArrayList<>();
    String thread = "";
    String top = "";
    for (String line : lines) {
      if (line.startsWith("\"")) {
        thread = line.substring(1, Math.max(1, line.indexOf('"', 1)));
        top = "";
      } else if (line.strip().startsWith("at ") && interesting(thread)) {
        String frame = line.strip().substring(3);
        top = top.isEmpty() ? name(frame) : top;
        if (!Frames.ofJava(frame)) {
          String own = name(frame);
          found.add(thread + " in " + (top.equals(own) ? own : top + ", called by " + own));
          thread = "";
        }
      }
    }
    int more = found.size() - 2;
    String some = String.join("; ", found.subList(0, Math.min(2, found.size())));
    return more > 0 ? some + "; and " + more + " more threads" : some;
  }

  private static boolean interesting(String thread) {
    return thread.startsWith("worker-") || thread.equals("main");
  }

  private static String name(String frame) {
    int end = frame.indexOf('(');
    String method = end < 0 ? frame : frame.substring(0, end);
    int module = method.indexOf('/');
    return module < 0 ? method : method.substring(module + 1);
  }
}
