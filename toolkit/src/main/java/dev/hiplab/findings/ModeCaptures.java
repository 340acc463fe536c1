package dev.hiplab.findings;

import dev.hiplab.CaptureMode;
import dev.hiplab.Graph;
import dev.hiplab.HiplabException;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Tally;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The captures of one mode of {@link ReclaimCapture}, and how each of them ended.
 *
 * @param counters takes {@code capture.<mode>.<name>.status}: what hipStreamEndCapture returned
 * @param spoilt takes those that did not end well, in words
 * @param graphs of those that did, by name
 */
record ModeCaptures(
    CaptureMode mode, Map<String, Long> counters, List<String> spoilt, Map<String, Graph> graphs) {
  /** What happens beside a capture. */
  interface Step {
    void run() throws Exception;
  }

  ModeCaptures(CaptureMode mode, Map<String, Long> counters, List<String> spoilt) {
    this(mode, counters, spoilt, new TreeMap<>());
  }

  /** The calling thread captures its own launch. */
  void own(Stream stream, CheckedGemm gemm) {
    stream.beginCapture(mode);
    try {
      gemm.gemm(stream);
    } catch (HiplabException refused) {
      // In a capture that has been spoilt; its end says so.
    }
    end("own", stream);
  }

  /** Another thread captures a fill, while the calling one takes its step. */
  void other(String name, ExecutorService capturer, Stream other, Matrix filled, Step step)
      throws Exception {
    Runnable begin =
        () -> {
          other.beginCapture(mode);
          other.poison(filled);
        };
    capturer.submit(begin).get(Patience.SECONDS, TimeUnit.SECONDS);
    try {
      step.run();
    } finally {
      capturer.submit(() -> end(name, other)).get(Patience.SECONDS, TimeUnit.SECONDS);
    }
  }

  private void end(String name, Stream stream) {
    long status = 0;
    try {
      graphs.put(name, stream.endCapture());
    } catch (HiplabException e) {
      status = e.status();
      spoilt.add(mode + " " + name + ": " + e.statusName() + " (" + status + ")");
    }
    counters.put("capture." + mode + "." + name + ".status", status);
  }

  /** Launches what was captured well, and checks what it wrote; closes the graphs. */
  void replay(Stream stream, CheckedGemm gemm, Stream other, Matrix filled, Tally tally) {
    for (Map.Entry<String, Graph> entry : graphs.entrySet()) {
      try (Graph graph = entry.getValue()) {
        if (entry.getKey().equals("own")) {
          stream.poison(gemm.output());
          graph.launch(stream);
          gemm.read(stream);
          gemm.check(tally, mode.ordinal(), 0);
        } else {
          graph.launch(other);
          other.synchronize();
          if (!Float.isNaN(filled.get(63, 63))) {
            tally.failed("the graph of " + mode + " " + entry.getKey() + " filled nothing");
          }
        }
      }
    }
  }
}
