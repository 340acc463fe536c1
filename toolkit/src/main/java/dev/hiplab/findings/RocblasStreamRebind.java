package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.Stream;
import dev.hiplab.scenario.CheckedGemm;
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
 * mlxcel 2198: every rocBLAS call site binds the one shared handle to its stream and then issues
 * its GEMM, with no lock around the two. Thread B's rebind between A's rebind and A's GEMM puts A's
 * GEMM on B's stream, where A's stream does not wait for it.
 *
 * <p>The threads and GEMMs of {@link RocblasFirstGemm}, on a handle that is there already. A GEMM
 * on a foreign stream often ends before anybody looks, so that the stream each GEMM ran on is the
 * better oracle: the counter {@code gemm.other-stream}.
 */
public final class RocblasStreamRebind extends SourcedScenario {
  public RocblasStreamRebind() {
    super(
        "rocblas.stream-rebind",
        "mlxcel 2198",
        "GEMMs of many threads on one rocBLAS handle that each binds to its own stream",
        "Binding the stream and issuing the GEMM are not one step: a rebind of another thread in"
            + " between puts the GEMM on that thread's stream.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("rocblas-handle", Form.FILED, "router", Form.FILED),
            Set.of(Outcome.WRONG_RESULT, Outcome.MISROUTED)),
        Form.fixed(),
        Form.right("PER_THREAD", Map.of("rocblas-handle", "PER_THREAD")));
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.delayed("delay rocblas.rebind.done 1ms"),
        Interleaving.forced(
            "order A:rocblas.rebind.done arrived -> B:work.begin",
            "order B:work.end -> A:rocblas.rebind.done"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    try (Stream first = device.stream()) { // open all the time, or a new one has its handle's value
      return run(trial, warm(trial, device, first));
    }
  }

  private static Finding run(Trial trial, Tally warm) throws InterruptedException {
    ManyThreads threads =
        new ManyThreads(
            trial,
            RocblasFirstGemm.THREADS,
            RocblasFirstGemm.ROUNDS,
            List.of(RocblasFirstGemm.F32));
    Tally tally = threads.run();
    tally.add(warm);
    Map<String, Long> seen = trial.backend().counters();
    Finding finding = tally.finding(seen, threads.workMillis());
    long elsewhere = seen.getOrDefault("gemm.other-stream", 0L);
    return tally.isRight() && elsewhere > 0
        ? finding.as(Outcome.MISROUTED, elsewhere + " GEMMs ran on another thread's stream")
        : finding;
  }

  /** The process's first GEMM, by one thread: the handle is not what this finding is about. */
  private static Tally warm(Trial trial, Device device, Stream stream) {
    Tally tally = new Tally();
    try (CheckedGemm gemm =
        new CheckedGemm(trial, device, RocblasFirstGemm.F32, RocblasFirstGemm.THREADS, 0)) {
      gemm.enqueue(stream);
      gemm.read(stream);
      gemm.check(tally, RocblasFirstGemm.THREADS, 0);
    }
    return tally;
  }
}
