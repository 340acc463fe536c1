package dev.hiplab.findings;

import dev.hiplab.Device;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * mlxcel 2197: clear_encoders() walks and empties the encoders without the lock that lookups take.
 * The fix swaps them out under the lock and destroys them after it, "so ~CommandEncoder never runs
 * while encoders_mtx_ is held": it may need that lock itself, and under it waits for ever.
 *
 * <p>The source gives no workload for this; here eight threads, each on a new stream, run 16 rounds
 * of a bf16 [64, 64] x transpose([64, 64]) on integers in -2..2 while a ninth clears without pause.
 * Forced, A clears, and B's first GEMM makes its encoder while A is destroying others. Then {@link
 * EncoderEnd} clears an encoder whose destructor must record an error. Right is: every output
 * exact, no GEMM on the fallback route (one whose workspace went away), every encoder that was made
 * is destroyed by the last clear, and all of it ends.
 */
public final class ClearEncoders extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int ROUNDS = 16;

  public ClearEncoders() {
    super(
        "device-map.clear-encoders",
        "mlxcel 2197",
        "clearing the encoders of all streams while other threads evaluate",
        "Clearing iterates unlocked and loses what is inserted meanwhile, or runs an encoder's"
            + " destructor under the lock that it needs.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("encoders", Form.FILED),
            // A map that two threads change, and references into it that clearing leaves dangling.
            Set.of(
                Outcome.LEAK,
                Outcome.CRASH,
                Outcome.WRONG_RESULT,
                Outcome.MISROUTED,
                Outcome.ERROR,
                Outcome.HANG)),
        Form.fixed(),
        Form.wrong("MUTEX_HELD", Map.of("encoders", "MUTEX_HELD"), Set.of(Outcome.HANG)));
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.delayed("delay encoders.destroy.begin 1ms"),
        Interleaving.forced(
            "order A:encoders.destroy.begin arrived -> B:work.begin",
            "order B:work.end -> A:encoders.destroy.begin"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Tally tally = new Tally();
    double millis = work(trial, tally);
    trial.backend().clearStreams();
    TreeMap<String, Long> seen = new TreeMap<>(trial.backend().counters());
    long lost = seen.getOrDefault("handles.encoders", 0L) - seen.getOrDefault("ended.encoders", 0L);
    seen.put("encoders.lost", lost);
    long fallback = seen.getOrDefault("route.fallback", 0L);
    Finding finding = tally.finding(seen, millis);
    if (!EncoderEnd.ends(trial)) {
      return finding.as(
          Outcome.HANG, "clearing an encoder whose destructor records an error did not end");
    }
    if (tally.isRight() && lost != 0) {
      return finding.as(Outcome.LEAK, lost + " encoders were lost: nothing ends them");
    }
    if (tally.isRight() && fallback > 0) {
      return finding.as(Outcome.MISROUTED, fallback + " GEMMs found no workspace");
    }
    return finding;
  }

  private static double work(Trial trial, Tally tally) throws InterruptedException {
    AtomicInteger busy = new AtomicInteger(trial.forced() ? 0 : THREADS);
    Device device = trial.backend().device(0);
    Actors actors = new Actors();
    List<Stream> streams = new ArrayList<>();
    try (Stream known = device.stream();
        CheckedGemm first =
            new CheckedGemm(trial, device, BlasLtSharedWorkspace.BF16, THREADS, 0)) {
      first.enqueue(known);
      first.read(known);
      first.check(tally, THREADS, 0);
      actors.add(
          trial.forced() ? "A" : "clearing",
          () -> {
            do {
              trial.backend().clearStreams();
            } while (busy.get() > 0);
          });
      List<String> names = trial.forced() ? List.of("B") : trial.names(THREADS);
      for (String name : names) {
        int who = actors.count();
        Stream stream = device.stream();
        streams.add(stream);
        actors.add(
            name,
            () -> {
              try {
                evaluate(trial, stream, who, tally);
              } finally {
                busy.decrementAndGet();
              }
            });
      }
      actors.run();
    } finally {
      // Not by their threads: a stream that closes while A still clears takes its encoder along.
      streams.forEach(Stream::close);
    }
    tally.failed(actors.firstError());
    return actors.workMillis();
  }

  private static void evaluate(Trial trial, Stream stream, int who, Tally tally) {
    Tally own = new Tally();
    for (int round = 0; round < (trial.forced() ? 1 : ROUNDS); round++) {
      try (CheckedGemm gemm =
          new CheckedGemm(trial, stream.device(), BlasLtSharedWorkspace.BF16, who, round)) {
        gemm.enqueue(stream);
        gemm.read(stream);
        gemm.check(own, who, round);
      }
    }
    synchronized (tally) {
      tally.add(own);
    }
  }
}
