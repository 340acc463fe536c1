package dev.hiplab.findings;

import dev.hiplab.Options;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import dev.hiplab.scenario.Way;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2200, pipe erase: when the matmul of a cached pipe fails, the thread destroys the pipe's
 * descriptors and takes it out of the cache, while another thread has found the same pipe and is
 * about to use it.
 *
 * <p>Eight threads, 33 rounds of the bf16 GEMM of {@link BlasLtSharedWorkspace}, so that all meet
 * on one key; calls 40 to 79 of hipblasLtMatmul fail. Forced, A has found the pipe in its second
 * round when B's matmul, the second call, fails. A failed call is tried again with other algorithms
 * and then by rocBLAS, so right is right outputs in every form; the oracle is what the calls were
 * given.
 */
public final class BlasLtPipeErase extends SourcedScenario {
  public BlasLtPipeErase() {
    super(
        "blaslt.pipe-erase",
        "mlxcel 2200",
        "a cached matmul fails while other threads use the same pipe",
        "The thread whose matmul failed destroys the descriptors that another thread is using.");
  }

  @Override
  public Options options(Options options, Interleaving interleaving) {
    boolean forced = interleaving.way() == Way.FORCED;
    // HIPBLAS_STATUS_INVALID_VALUE, as for a stale algorithm.
    return options.withFailCall("hipblasLtMatmul#" + (forced ? "2" : "40-79") + ":3");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("pipe-cache", Form.FILED),
            Set.of(Outcome.MISUSE, Outcome.WRONG_RESULT, Outcome.CRASH)),
        Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.forced(
            "order A:pipe.found arrived -> B:work.begin",
            "order B:pipe.erased -> A:pipe.found",
            // Else B's next pipe may have the address of the one that it destroyed.
            "order A:pipe.leave#2 -> B:pipe.create.begin"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    ManyThreads threads =
        new ManyThreads(
            trial,
            BlasLtSharedWorkspace.THREADS,
            BlasLtSharedWorkspace.ROUNDS,
            List.of(BlasLtSharedWorkspace.BF16));
    if (trial.forced()) {
      threads.rounds(2);
    }
    Tally tally = threads.run();
    return Misuse.read(tally.finding(trial.backend().counters(), threads.workMillis()));
  }
}
