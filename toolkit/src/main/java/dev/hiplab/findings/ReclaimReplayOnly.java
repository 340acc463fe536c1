package dev.hiplab.findings;

import dev.hiplab.CaptureMode;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Gemm;
import dev.hiplab.Graph;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * MIOpen 12265, review point 6: in a tune, capture, replay workload the scratch that was pinned at
 * capture time is never released, as a form that polls on launches is not called by a replay.
 *
 * <p>A bf16 GEMM [64, 64] x transpose([64, 64]) with integers in -2..2 is tuned, an evaluation is
 * abandoned while it runs, the GEMM is captured in global mode, the abandoned work ends, and from
 * then on the graph is replayed, every 25th replay checked exactly. The counters {@code pinned.*}
 * hold the bytes pinned before the first replay, after some, and at the end: when they are free, or
 * after {@link #REPLAYS} replays and {@link #SECONDS} seconds, which a worker's wake-up of
 * microseconds does not need. Bytes that are still pinned then are the finding (LEAK); {@code
 * pinned.after-launch} tells whether one launch outside a graph frees them.
 *
 * <p>Needs no race: natural runs do it every time.
 */
public final class ReclaimReplayOnly extends SourcedScenario {
  private static final int REPLAYS = 200;
  private static final int SECONDS = 3;

  public ReclaimReplayOnly() {
    super(
        "reclaim.replay-only",
        "MIOpen 12265",
        "scratch of an abandoned evaluation when only graphs are replayed",
        "A workload that tunes, captures and then only replays never releases the scratch by"
            + " polling on launches.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.wrong("RELAXED_POLL", Map.of("stream-tracker", "RELAXED_POLL"), Set.of(Outcome.LEAK)),
        Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    Tally tally = new Tally();
    Map<String, Long> pinned = new TreeMap<>();
    try (Stream stream = device.stream();
        CheckedGemm gemm = new CheckedGemm(trial, device, BlasLtSharedWorkspace.BF16, 0, 0)) {
      tune(device, stream);
      gemm.enqueue(stream);
      gemm.read(stream);
      gemm.check(tally, 0, 0);
      try (Overrun overrun = Overrun.abandon(device)) {
        stream.beginCapture(CaptureMode.GLOBAL);
        gemm.gemm(stream);
        try (Graph graph = stream.endCapture()) {
          overrun.end();
          overrun.awaitEnd();
          replay(device, stream, graph, gemm, tally, pinned);
        }
      }
      gemm.enqueue(stream);
      gemm.read(stream);
      gemm.check(tally, 0, 2);
      pinned.put("pinned.after-launch", device.trackerState().pinnedBytes());
    }
    Map<String, Long> counters = new TreeMap<>(trial.backend().counters());
    counters.putAll(pinned);
    Finding finding = tally.finding(counters, Double.NaN);
    long left = pinned.get("pinned.at-end");
    return tally.isRight() && left > 0
        ? finding.as(
            Outcome.LEAK,
            left
                + " bytes of scratch are pinned after "
                + pinned.get("replays")
                + " replays, and "
                + pinned.get("pinned.after-launch")
                + " after one launch")
        : finding;
  }

  private static void tune(Device device, Stream stream) {
    try (Matrix a = device.matrix(DType.BF16, 1, 64, 64, new float[64 * 64]);
        Matrix b = device.matrix(DType.BF16, 1, 64, 64, new float[64 * 64]);
        Matrix c = device.empty(DType.BF16, 64, 64)) {
      stream.tune(Gemm.NT, a, b, c, 2, 2);
    }
  }

  private static void replay(
      Device device,
      Stream stream,
      Graph graph,
      CheckedGemm gemm,
      Tally tally,
      Map<String, Long> pinned) {
    pinned.put("pinned.before-replays", device.trackerState().pinnedBytes());
    long replays = 0;
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    long bytes;
    do {
      stream.poison(gemm.output()); // a fill polls nothing
      graph.launch(stream);
      gemm.read(stream);
      replays++;
      bytes = device.trackerState().pinnedBytes();
      if (replays % (REPLAYS / 8) == 0 && replays <= REPLAYS) {
        gemm.check(tally, 0, 1);
        pinned.put("pinned.after-" + replays, bytes);
      }
    } while (replays < REPLAYS || bytes > 0 && System.nanoTime() < end);
    pinned.put("pinned.at-end", bytes);
    pinned.put("replays", replays);
  }
}
