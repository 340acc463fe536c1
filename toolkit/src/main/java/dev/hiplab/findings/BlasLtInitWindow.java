package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.HiplabException;
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
import java.util.TreeMap;

/**
 * mlxcel 2200, init window: a thread sets "initialized", creates the handle and then sets
 * "available". Another one in between reads initialized, skips the lock and sees not available. Its
 * GEMM falls back to rocBLAS; or, if it is asking what hipBLASLt can do (as the fp8 route does
 * before any GEMM), get_handle() throws and the capability table stays all false for the process.
 *
 * <p>Eight threads, 33 rounds of the bf16 GEMM of {@link BlasLtSharedWorkspace}, no GEMM before the
 * barrier; every second thread first asks for the capabilities. Each GEMM must take hipBLASLt, the
 * capability line stands on stderr once, and bf16 is among the capabilities afterwards.
 */
public final class BlasLtInitWindow extends SourcedScenario {
  private static final String CAPABILITIES = "capabilities";

  public BlasLtInitWindow() {
    super(
        "blaslt.init-window",
        "mlxcel 2200",
        "the first bf16 GEMMs and capability questions of many threads",
        "A thread that comes while another creates the handle sees no hipBLASLt: its GEMM takes"
            + " rocBLAS, or the capability table stays all false.");
  }

  @Override
  public Map<String, Integer> stderrLines() {
    return Map.of("[hipBLASLt caps] device", 1);
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("blaslt-handle", Form.FILED, "capability-probe", Form.FILED),
            Set.of(Outcome.MISROUTED)),
        Form.fixed(),
        // Upstream's way; the capabilities are asked on the asking thread's own handle.
        Form.right("PER_THREAD", Map.of("blaslt-handle", "PER_THREAD")));
  }

  @Override
  public List<Interleaving> interleavings() {
    Interleaving meanwhile =
        Interleaving.forced(
            "order A:blaslt.create.begin arrived -> B:work.begin",
            "order B:work.end -> A:blaslt.create.begin");
    return List.of(
        Interleaving.natural(),
        Interleaving.delayed("delay blaslt.create.begin 20ms"),
        meanwhile.named("route"),
        meanwhile.named(CAPABILITIES));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    boolean asks = !trial.forced() || trial.interleaving().name().equals(CAPABILITIES);
    ManyThreads threads =
        new ManyThreads(
            trial,
            BlasLtSharedWorkspace.THREADS,
            BlasLtSharedWorkspace.ROUNDS,
            List.of(BlasLtSharedWorkspace.BF16));
    threads.first(index -> ask(device, asks && index % 2 == 1));
    Tally tally = threads.run();
    Map<String, Long> seen = new TreeMap<>(trial.backend().counters());
    boolean known = ask(device, true);
    seen.put("capabilities.bf16", known ? 1L : 0L);
    Finding finding = tally.finding(seen, threads.workMillis());
    if (!tally.isRight()) {
      return finding;
    }
    long elsewhere = seen.getOrDefault("route.rocblas", 0L);
    if (elsewhere > 0 || !known) {
      return finding.as(
          Outcome.MISROUTED,
          elsewhere
              + " bf16 GEMMs took rocBLAS"
              + (known ? "" : "; bf16 is not among the capabilities, for good"));
    }
    return finding;
  }

  /** A caller that catches what the probe throws and takes another route, as the fork's do. */
  private static boolean ask(Device device, boolean asks) {
    try {
      return asks && device.hasBlasLtGemm(DType.BF16);
    } catch (HiplabException notAvailable) {
      return false;
    }
  }
}
