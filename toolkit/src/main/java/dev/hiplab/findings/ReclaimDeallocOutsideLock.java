package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.DisposableStream;
import dev.hiplab.Event;
import dev.hiplab.Gemm;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * MIOpen 12265: freeing scratch (hipFree) waits for every stream on the device. As filed that wait
 * is in a caller's kernel launch, under the tracker's lock; fixed, on the worker's thread.
 *
 * <p>Two evaluations are abandoned: a runaway, 60 f32 GEMMs of 512^3 in a row, and one whose work
 * has ended and that pins scratch. Then A launches a GEMM of the workload (f32 [64, 128] x [128,
 * 64], integers in -4..4) while B asks for the tracker's state, as the next find does first.
 * Whether a call waited is told by an order, not by a time: it did if the runaway had ended when it
 * returned. Forced, B asks while A is about to free: as filed A holds the lock then, so that the
 * order is excluded. On a busy machine a runaway may end before a call that waits for nothing gets
 * its turn: whoever waited must do so again for one that is five times as long.
 */
public final class ReclaimDeallocOutsideLock extends SourcedScenario {
  private static final int[] ATTEMPTS = {60, 300};
  private static final String LAUNCH = "launch.waited-for-runaway";
  private static final String STATE = "state.waited-for-runaway";
  private static final int SIDE = 512;

  public ReclaimDeallocOutsideLock() {
    super(
        "reclaim.dealloc-outside-lock",
        "MIOpen 12265",
        "a launch while a runaway kernel drains and scratch is to be freed",
        "The launch frees the scratch of abandoned work, which waits for every stream of the"
            + " device, with the tracker's lock held.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("stream-tracker", Form.FILED), Set.of(Outcome.MISROUTED)), Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.forced(
            "order A:tracker.free.begin arrived -> B:work.begin",
            "order B:work.end -> A:tracker.free.begin"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    Tally tally = new Tally();
    Map<String, Long> counters = new TreeMap<>();
    double millis = 0;
    try (Stream stream = device.stream();
        CheckedGemm gemm = new CheckedGemm(trial, device, RocblasFirstGemm.F32, 0, 0)) {
      gemm.enqueue(stream); // handles are made here
      gemm.read(stream);
      for (int gemms : ATTEMPTS) {
        Actors actors = attempt(device, stream, gemm, gemms, counters);
        millis = actors.workMillis();
        tally.failed(actors.firstError());
        gemm.read(stream);
        gemm.check(tally, 0, gemms);
        if (counters.get(LAUNCH) + counters.get(STATE) == 0) {
          break;
        }
      }
    }
    boolean freed = Patience.until(() -> Backlog.isDrained(device));
    counters.put("pinned.at-end", device.trackerState().pinnedBytes());
    counters.putAll(trial.backend().counters());
    Finding finding = tally.finding(counters, millis);
    if (!tally.isRight()) {
      return finding;
    }
    if (counters.get(LAUNCH) + counters.get(STATE) > 0) {
      String who = counters.get(LAUNCH) > 0 ? "the launch" : "a look at the state";
      return finding.as(
          Outcome.MISROUTED,
          "the runaway work had ended when " + who + " returned: it waited for a free");
    }
    return freed ? finding : finding.as(Outcome.LEAK, "the scratch was not freed");
  }

  private static Actors attempt(
      Device device, Stream stream, CheckedGemm gemm, int gemms, Map<String, Long> counters)
      throws InterruptedException {
    Actors actors = new Actors();
    try (Runaway runaway = new Runaway(device)) {
      DisposableStream ended = device.acquireStream();
      DisposableStream running = device.acquireStream();
      runaway.start(running, gemms);
      Backlog.abandonEnded(ended);
      boolean[] waited = new boolean[2];
      actors.add(
          "A",
          () -> {
            gemm.enqueue(stream);
            waited[0] = runaway.ended();
          });
      actors.add(
          "B",
          () -> {
            device.trackerState();
            waited[1] = runaway.ended();
          });
      actors.run();
      counters.put(LAUNCH, waited[0] ? 1L : 0L);
      counters.put(STATE, waited[1] ? 1L : 0L);
      counters.put("runaway.gemms", (long) gemms);
    }
    return actors;
  }

  /** Work that runs for long and is given up. */
  private static final class Runaway implements AutoCloseable {
    private final Matrix a;
    private final Matrix b;
    private final Matrix c;
    private final Event end;

    Runaway(Device device) {
      a = device.matrix(DType.F32, 1, SIDE, SIDE, new float[SIDE * SIDE]);
      b = device.matrix(DType.F32, 1, SIDE, SIDE, new float[SIDE * SIDE]);
      c = device.empty(DType.F32, SIDE, SIDE);
      end = device.event();
    }

    void start(DisposableStream stream, int gemms) {
      for (int i = 0; i < gemms; i++) {
        stream.gemm(Gemm.NN, a, b, c);
      }
      stream.record(end);
      stream.abandon(null);
    }

    boolean ended() {
      return end.done();
    }

    @Override
    public void close() {
      end.synchronize();
      a.close();
      b.close();
      c.close();
      end.close();
    }
  }
}
