package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2200, worst failure: every hipblasLtMatmul on a device gets the same 32 MiB buffer. The
 * call only enqueues, so two GEMMs on two streams whose algorithms ask for workspace run at the
 * same time over the same scratch memory, and both outputs are wrong.
 *
 * <p>Eight threads with a stream each, 33 rounds of a bf16 [64, 64] x transpose([64, 64]), integers
 * in -2..2. Forced, A and B have both enqueued before either goes on, and enqueue 16 GEMMs with K =
 * 2048 each before they wait, so that the streams have work at the same time.
 *
 * <p>LEASE_CALL is the lease that the source rejects, as it ends before the kernel runs. The source
 * rejects LEASE_SYNC and EVENT_HANDOFF as they serialize, and PER_CALL (upstream's) for want of an
 * encoder; all three are right. THREAD_OWNED is right here, where each thread keeps to one stream;
 * {@code blaslt.callback-thread} shows where it breaks.
 */
public final class BlasLtSharedWorkspace extends ScratchScenario {
  static final int THREADS = 8;
  static final int ROUNDS = 33;
  private static final int FORCED_ROUNDS = 16;
  static final GemmCase BF16 = new GemmCase(DType.BF16, Gemm.NT, 1, 64, 64, 64, 2);

  // Long enough that the streams fall behind their threads. Sums of 2048 products of -1..1 have a
  // deviation of 30, so that magnitudes above 256, which bf16 would round, do not come up.
  private static final GemmCase LONG = new GemmCase(DType.BF16, Gemm.NT, 1, 64, 64, 2048, 1);

  public BlasLtSharedWorkspace() {
    super(
        "blaslt.shared-workspace",
        "mlxcel 2200",
        "one hipBLASLt workspace under the streams of many threads",
        "GEMMs on different streams that need scratch memory corrupt each other when they share the"
            + " buffer.");
  }

  @Override
  public List<Form> forms() {
    Set<Outcome> wrong = Set.of(Outcome.WRONG_RESULT, Outcome.MISUSE);
    return List.of(
        Form.filed(Map.of("workspace", Form.FILED), wrong),
        Form.fixed(),
        Form.wrong("LEASE_CALL", Map.of("workspace", "LEASE_CALL"), wrong),
        Form.right("LEASE_SYNC", Map.of("workspace", "LEASE_SYNC")),
        Form.right("EVENT_HANDOFF", Map.of("workspace", "EVENT_HANDOFF")),
        Form.right("THREAD_OWNED", Map.of("workspace", "THREAD_OWNED")),
        Form.right("PER_CALL", Map.of("workspace", "PER_CALL")));
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.forced(
            "order A:work.enqueued arrived -> B:work.enqueued",
            "order B:work.enqueued arrived -> A:work.enqueued"));
  }

  @Override
  Finding work(Trial trial) throws InterruptedException {
    GemmCase gemm = trial.forced() ? LONG : BF16;
    ManyThreads threads = new ManyThreads(trial, THREADS, ROUNDS, List.of(gemm));
    if (trial.forced()) {
      threads.rounds(FORCED_ROUNDS).ahead(FORCED_ROUNDS);
    }
    Tally tally = threads.run();
    return tally.finding(trial.backend().counters(), threads.workMillis());
  }
}
