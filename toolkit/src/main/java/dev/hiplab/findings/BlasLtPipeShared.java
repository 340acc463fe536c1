package dev.hiplab.findings;

import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2200 and 2208: hipblasLtMatmul writes into the descriptor, so a pipe that threads share
 * fails however it is owned: as a raw pointer (FILED), by a shared_ptr, or with its algorithm
 * copied out. MUTEX_HELD across the matmul is right and serializes the enqueue, PER_CALL makes
 * descriptors for each call, FIXED keeps a cache for each thread.
 *
 * <p>Eight threads, 128 rounds of the bf16 GEMM of {@link BlasLtSharedWorkspace} (the source has
 * 33), enqueued 8 at a time, so that all are inside matmul with one key most of the time. Forced, A
 * and B have both found their pipe before either goes on.
 */
public final class BlasLtPipeShared extends SourcedScenario {
  private static final int AHEAD = 8;
  private static final int ROUNDS = 16 * AHEAD;

  public BlasLtPipeShared() {
    super(
        "blaslt.pipe-shared",
        "mlxcel 2200, 2208",
        "one matmul descriptor under the calls of many threads",
        "matmul writes into the descriptor: a pipe shared by threads gives wrong outputs or crashes,"
            + " however it is owned.");
  }

  @Override
  public List<Form> forms() {
    Set<Outcome> wrong = Set.of(Outcome.WRONG_RESULT, Outcome.CRASH, Outcome.MISUSE, Outcome.ERROR);
    return List.of(
        Form.filed(Map.of("pipe-cache", Form.FILED), wrong),
        Form.fixed(),
        Form.wrong("SHARED_PTR", Map.of("pipe-cache", "SHARED_PTR"), wrong),
        Form.wrong("ALGORITHM_COPY", Map.of("pipe-cache", "ALGORITHM_COPY"), wrong),
        Form.right("MUTEX_HELD", Map.of("pipe-cache", "MUTEX_HELD")),
        Form.right("PER_CALL", Map.of("pipe-cache", "PER_CALL")));
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.forced(
            "order A:blaslt.matmul.begin#2 arrived -> B:blaslt.matmul.begin#2",
            "order B:blaslt.matmul.begin#2 arrived -> A:blaslt.matmul.begin#2"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    ManyThreads threads =
        new ManyThreads(
            trial, BlasLtSharedWorkspace.THREADS, ROUNDS, List.of(BlasLtSharedWorkspace.BF16));
    threads.ahead(AHEAD);
    if (trial.forced()) {
      threads.rounds(2 * AHEAD);
    }
    Tally tally = threads.run();
    return Misuse.read(tally.finding(trial.backend().counters(), threads.workMillis()));
  }
}
