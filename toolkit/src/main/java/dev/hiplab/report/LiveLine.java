package dev.hiplab.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A line of progress: in a notebook one output that is replaced, elsewhere a printed line now and
 * then. Used by one thread.
 */
final class LiveLine {
  /** Front ends fall behind, and kernels queue, beyond about five updates a second. */
  private static final long NOTEBOOK_PAUSE_NANOS = 200_000_000L;

  private static final long TEXT_PAUSE_NANOS = 10_000_000_000L;

  private final Optional<Kernel> kernel;
  private final String displayId = UUID.randomUUID().toString();
  private long shownNanos;
  private boolean displayed;

  LiveLine(Optional<Kernel> kernel) {
    this.kernel = kernel;
  }

  /** Begins; a notebook gets its output now. */
  void begin(String line, int done, int total) {
    shownNanos = System.nanoTime();
    if (kernel.isPresent()) {
      show(line, done, total);
    }
  }

  /** Whether enough time has passed for another line. */
  boolean due() {
    long pause = kernel.isPresent() ? NOTEBOOK_PAUSE_NANOS : TEXT_PAUSE_NANOS;
    return System.nanoTime() - shownNanos >= pause;
  }

  /** Shows the line now; with a total of 0 there is no bar. */
  void show(String line, int done, int total) {
    shownNanos = System.nanoTime();
    if (kernel.isEmpty()) {
      System.out.println(line);
      return;
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("text/plain", line);
    String bar =
        total == 0 ? "" : "<progress max=\"" + total + "\" value=\"" + done + "\"></progress> ";
    data.put("text/html", bar + Tables.escapeHtml(line));
    try {
      if (displayed) {
        kernel.get().update(data, displayId);
      } else {
        kernel.get().display(data, displayId);
        displayed = true;
      }
    } catch (ReflectiveOperationException | RuntimeException unknownKernel) {
      System.out.println(line);
    }
  }
}
