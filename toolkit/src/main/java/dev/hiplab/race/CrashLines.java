package dev.hiplab.race;

import dev.hiplab.NativeLibrary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a child's signal handlers said on standard error ({@code native/bindings/crash_lines.h}):
 * lines of fields between tabs.
 *
 * <p>The handler runs at abort(). After a SIGSEGV the JVM has written its report before that, and
 * the threads that did not fault have gone on meanwhile: their points are later ones.
 *
 * @param thread name of the thread that crashed; empty when it passed no point, or none crashed
 * @param what type and text of the C++ exception that nobody caught; empty when there was none
 * @param frames innermost first
 * @param points each living thread's last points, oldest first
 */
record CrashLines(
    String thread, String what, List<Frame> frames, Map<String, List<String>> points) {
  private static final String CRASH = "@hiplab-crash\t";
  private static final String POINTS = "@hiplab-points\t";

  private static final Set<String> RAISING =
      Set.of("", "abort", "raise", "gsignal", "pthread_kill", "__pthread_kill");
  // What lies between a throw and abort(), at most.
  private static final int THROWING = 16;

  /**
   * A place in native code.
   *
   * @param offset within the library, hexadecimal: {@code addr2line -e <library> <offset>} names
   *     the line in a build with debug information
   * @param function mangled; empty when the library does not export it
   */
  record Frame(String library, String offset, String function) {
    /** Whether it is the backend's or its stubs', and not only a wait in a wrapped lock. */
    boolean own() {
      return !function.contains("N6hiplab4sync") && ours();
    }

    private boolean ours() {
      return library.startsWith("libhiplab.") || library.startsWith("libjniNative.");
    }

    String text() {
      String place = library + "+0x" + offset;
      // glibc knows free() by __libc_free as well.
      String name = function.replaceFirst("^__libc_", "");
      return name.isEmpty() ? place : place + " " + NativeLibrary.functionName(name);
    }
  }

  /** Whether the line is one of these and not a library's. */
  static boolean isOne(String line) {
    return line.startsWith(CRASH) || line.startsWith(POINTS);
  }

  /** Reads the lines among those on standard error; all is empty when there are none. */
  static CrashLines read(List<String> stderr) {
    String thread = "";
    String what = "";
    List<Frame> frames = new ArrayList<>();
    Map<String, List<String>> points = new LinkedHashMap<>();
    for (String line : stderr) {
      List<String> fields = Arrays.asList(line.split("\t", -1));
      if (line.startsWith(POINTS) && fields.size() > 2) {
        points.put(unused(fields.get(1), points), List.copyOf(fields.subList(2, fields.size())));
      } else if (line.startsWith(CRASH + "signal\t") && fields.size() == 4) {
        thread = fields.get(3);
      } else if (line.startsWith(CRASH + "what\t") && fields.size() == 4) {
        what = fields.get(3).isEmpty() ? fields.get(2) : fields.get(2) + ": " + fields.get(3);
      } else if (line.startsWith(CRASH + "frame\t") && fields.size() == 5) {
        frames.add(new Frame(fields.get(2), fields.get(3), fields.get(4)));
      }
    }
    return new CrashLines(thread, what, frames, points);
  }

  private static String unused(String name, Map<String, List<String>> points) {
    String free = name;
    for (int n = 2; points.containsKey(free); n++) {
      free = name + "/" + n;
    }
    return free;
  }

  /** Where abort() was called for, and who of this project called that; empty when not known. */
  String fault() {
    int first = 0;
    while (first < frames.size() && raising(frames.get(first))) {
      first++;
    }
    for (int i = 0; !what.isEmpty() && i < Math.min(THROWING, frames.size()); i++) {
      String library = frames.get(i).library();
      if (library.startsWith("libstdc++") || library.startsWith("libgcc_s")) {
        first = i + 1;
      }
    }
    return first >= frames.size() ? "" : frames.get(first).text() + callers(first);
  }

  /** The first frame of this project, as the end of a text that says what it called. */
  String caller() {
    return callers(-1);
  }

  private String callers(int index) {
    if (index >= 0 && frames.get(index).own() && !frames.get(index).function().isEmpty()) {
      return "";
    }
    List<Frame> own = frames.subList(index + 1, frames.size()).stream().filter(Frame::own).toList();
    if (own.isEmpty()) {
      return "";
    }
    Frame nearest = own.get(0);
    String text = ", called from " + nearest.text();
    if (!nearest.function().isEmpty()) {
      return text;
    }
    return own.stream()
        .filter(frame -> !frame.function().isEmpty())
        .findFirst()
        .map(named -> text + ", called from " + named.text())
        .orElse(text);
  }

  private static boolean raising(Frame frame) {
    return frame.library().startsWith("libc.so") && RAISING.contains(frame.function());
  }
}
