package dev.hiplab.findings;

import dev.hiplab.CaptureMode;
import dev.hiplab.CaptureStatus;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * MIOpen 12265, issue 12121: an evaluation was abandoned still running, and later launches poll its
 * stream. HIP refuses the question during a capture (900), and the refusal spoils that capture:
 * hipStreamEndCapture returns 901.
 *
 * <p>In each capture mode an evaluation is abandoned, and three captures follow. The launching
 * thread captures its own launch, a bf16 GEMM [64, 64] x transpose([64, 64]) of integers in -2..2
 * ({@code own}). Another thread captures a fill, which polls nothing, while this one launches such
 * GEMMs ({@code other}); and the same while the abandoned work ends and its scratch is freed
 * ({@code freeing}). All nine must end well, the GEMMs compute the host's integer product, the
 * fills fill. As filed a capture ends with 901 in global and thread-local mode, that of another
 * thread in global mode. A first revision that does not poll while its own stream captures cannot
 * see the other thread's.
 *
 * <p>One thread after the other takes its step, so that natural runs are the order of the source.
 */
public final class ReclaimCapture extends SourcedScenario {
  private static final String PART = "stream-tracker";
  private static final int CAPTURE_INVALIDATED = 901;

  public ReclaimCapture() {
    super(
        "reclaim.capture",
        "MIOpen 12265",
        "a capture while an abandoned evaluation is still running",
        "A launch that polls the abandoned stream spoils the capture: it ends with"
            + " hipErrorStreamCaptureInvalidated, also when another thread captures.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of(PART, Form.FILED), Set.of(Outcome.ERROR)),
        Form.fixed(),
        Form.wrong("SKIP_CAPTURING", Map.of(PART, "SKIP_CAPTURING"), Set.of(Outcome.ERROR)),
        Form.right("RELAXED_POLL", Map.of(PART, "RELAXED_POLL")));
  }

  @Override
  public Finding run(Trial trial) throws Exception {
    Device device = trial.backend().device(0);
    ExecutorService capturer = Executors.newSingleThreadExecutor();
    Tally tally = new Tally();
    Map<String, Long> counters = new TreeMap<>();
    List<String> spoilt = new ArrayList<>();
    try (Stream stream = device.stream();
        Stream other = device.stream()) {
      for (CaptureMode mode : CaptureMode.values()) {
        try (CheckedGemm captured = gemm(trial, mode, 0);
            CheckedGemm beside = gemm(trial, mode, 1);
            Matrix filled = device.matrix(DType.F32, 1, 64, 64, new float[64 * 64])) {
          beside.enqueue(stream); // handles and workspace are made here
          beside.read(stream);
          ModeCaptures captures = new ModeCaptures(mode, counters, spoilt);
          try (Overrun overrun = Overrun.abandon(device)) {
            captures.own(stream, captured);
            captures.other("other", capturer, other, filled, () -> beside.enqueue(stream));
            captures.other(
                "freeing",
                capturer,
                other,
                filled,
                () -> {
                  overrun.end();
                  // FIXED frees by itself; a form that polls frees in a launch, unless refused.
                  Patience.until(
                      () -> {
                        beside.enqueue(stream);
                        return device.trackerState().pinnedBytes() == 0
                            || other.captureStatus() != CaptureStatus.ACTIVE;
                      });
                });
          }
          beside.read(stream);
          beside.check(tally, mode.ordinal(), 1);
          captures.replay(stream, captured, other, filled, tally);
        }
      }
    } finally {
      capturer.shutdown();
    }
    long captures = counters.size();
    counters.put("captures.invalidated", invalidated(counters));
    counters.putAll(trial.backend().counters());
    Finding finding = tally.finding(counters, Double.NaN);
    if (spoilt.isEmpty() || !tally.isRight()) {
      return finding;
    }
    String detail = spoilt.size() + " of " + captures + " captures did not end well: ";
    return finding.as(Outcome.ERROR, detail + String.join("; ", spoilt));
  }

  private static CheckedGemm gemm(Trial trial, CaptureMode mode, int step) {
    Device device = trial.backend().device(0);
    return new CheckedGemm(trial, device, BlasLtSharedWorkspace.BF16, mode.ordinal(), step);
  }

  private static long invalidated(Map<String, Long> statuses) {
    return statuses.values().stream().filter(status -> status == CAPTURE_INVALIDATED).count();
  }
}
