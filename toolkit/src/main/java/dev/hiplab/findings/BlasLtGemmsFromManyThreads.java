package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Reference;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2200, acceptance: eight threads, each with a stream of its own, wait on a barrier with no
 * GEMM run yet in the process, then run 33 rounds of a bf16 [64, 64] x transpose([64, 64]), a bf16
 * batched [4, 64, 64] x [4, 64, 64] and an f32 [64, 128] x [128, 64]. All threads use the same
 * shapes, so they meet on the same cache keys.
 *
 * <p>bf16 inputs are integers in -2..2: with K = 64 every output is an integer of magnitude at most
 * 256, exact in bf16. Where the device does not add the IEEE way (mlxcel 2206) a bf16 output may
 * differ by {@link Reference#bound}. Every bf16 GEMM must have taken hipBLASLt, and the capability
 * line must stand on standard error exactly once.
 */
public final class BlasLtGemmsFromManyThreads extends SourcedScenario {
  static final int THREADS = 8;
  static final int ROUNDS = 33;
  static final List<GemmCase> ROUND =
      List.of(
          new GemmCase(DType.BF16, Gemm.NT, 1, 64, 64, 64, 2),
          new GemmCase(DType.BF16, Gemm.NN, 4, 64, 64, 64, 2),
          RocblasFirstGemm.F32);

  public BlasLtGemmsFromManyThreads() {
    super(
        "blaslt.gemms-from-many-threads",
        "mlxcel 2200",
        "hipBLASLt and rocBLAS GEMMs of the same shapes on many threads",
        "Handle, workspace, pipe cache and capability table are shared without the locks they"
            + " need: outputs are wrong, GEMMs fall back to rocBLAS, or the process crashes.");
  }

  @Override
  public Map<String, Integer> stderrLines() {
    return Map.of("[hipBLASLt caps] device", 1);
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of(
                "blaslt-handle", Form.FILED,
                "workspace", Form.FILED,
                "pipe-cache", Form.FILED,
                "algorithm-cache", Form.FILED,
                "capability-probe", Form.FILED),
            // Callers catch what get_handle throws and take another route (mlxcel 2200);
            // descriptors
            // that threads share end in a crash (mlxcel 2208). Neither names an error.
            Set.of(Outcome.WRONG_RESULT, Outcome.MISROUTED, Outcome.CRASH)),
        Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    ManyThreads threads = new ManyThreads(trial, THREADS, ROUNDS, ROUND);
    Tally tally = threads.run();
    Map<String, Long> seen = trial.backend().counters();
    Finding finding = tally.finding(seen, threads.workMillis());
    if (!tally.isRight()) {
      return finding;
    }
    long took = seen.getOrDefault("route.hipblaslt", 0L);
    long all = trial.forced() ? 2L * 2 : 2L * THREADS * ROUNDS;
    if (took != all) {
      String detail = took + " of " + all + " bf16 GEMMs took hipBLASLt, the others another route";
      return finding.as(Outcome.MISROUTED, detail);
    }
    return finding;
  }
}
