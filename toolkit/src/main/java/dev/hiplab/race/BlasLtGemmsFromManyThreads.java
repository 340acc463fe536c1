package dev.hiplab.race;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
public final class BlasLtGemmsFromManyThreads implements Scenario {
  static final int THREADS = 8;
  static final int ROUNDS = 33;
  static final List<GemmCase> ROUND =
      List.of(
          new GemmCase(DType.BF16, Gemm.NT, 1, 64, 64, 64, 2),
          new GemmCase(DType.BF16, Gemm.NN, 4, 64, 64, 64, 2),
          RocblasFirstGemm.F32);

  @Override
  public String id() {
    return "blaslt.gemms-from-many-threads";
  }

  @Override
  public String title() {
    return "hipBLASLt and rocBLAS GEMMs of the same shapes on many threads";
  }

  @Override
  public String source() {
    return "mlxcel 2200";
  }

  @Override
  public String claim() {
    return "Handle, workspace, pipe cache and capability table are shared without the locks they"
        + " need: outputs are wrong, GEMMs fall back to rocBLAS, or the process crashes.";
  }

  @Override
  public String needs() {
    return "";
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
    TreeMap<String, Long> counters = new TreeMap<>(seen);
    tally.count(counters);
    double millis = threads.workMillis();
    if (!tally.firstError.isEmpty() || tally.wrong > 0) {
      return tally.failed(counters, millis);
    }
    long took = seen.getOrDefault("route.hipblaslt", 0L);
    long all = 2L * THREADS * ROUNDS;
    if (took != all) {
      String detail = took + " of " + all + " bf16 GEMMs took hipBLASLt, the others another route";
      return new Finding(Outcome.MISROUTED, detail, counters, millis);
    }
    return tally.right(counters, millis);
  }
}
