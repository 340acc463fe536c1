package dev.hiplab.race;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * mlxcel 2198, acceptance: eight threads, each with a stream of its own, wait on a barrier with no
 * GEMM run yet in the process, then compute 33 f32 matmuls of [64, 128] x [128, 64] with integer
 * inputs in -4..4 from a per-thread seed. Each output must be the host's integer product, and the
 * process must have made one rocBLAS handle.
 *
 * <p>f32 GEMMs take rocBLAS on every device, as with MLX_NO_HIPBLASLT=1 in the source.
 */
public final class RocblasFirstGemm implements Scenario {
  static final int THREADS = 8;
  static final int ROUNDS = 33;
  static final GemmCase F32 = new GemmCase(DType.F32, Gemm.NN, 1, 64, 64, 128, 4);

  @Override
  public String id() {
    return "rocblas.first-gemm";
  }

  @Override
  public String title() {
    return "the first GEMM of a process on many threads";
  }

  @Override
  public String source() {
    return "mlxcel 2198";
  }

  @Override
  public String claim() {
    return "The flag says initialized before the handle is made: a second thread gets a null handle"
        + " and its GEMM writes nothing, or two handles are made and one leaks.";
  }

  @Override
  public String needs() {
    return "";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("rocblas-handle", Form.FILED, "router", Form.FILED),
            // What the source names: a null handle writes nothing, or two handles are made.
            Set.of(Outcome.WRONG_RESULT, Outcome.LEAK)),
        Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    ManyThreads threads = new ManyThreads(trial, THREADS, ROUNDS, List.of(F32));
    Tally tally = threads.run();
    Map<String, Long> seen = trial.backend().counters();
    TreeMap<String, Long> counters = new TreeMap<>(seen);
    tally.count(counters);
    double millis = threads.workMillis();
    if (!tally.firstError.isEmpty() || tally.wrong > 0) {
      return tally.failed(counters, millis);
    }
    long handles = seen.getOrDefault("calls.rocblas_create_handle", 0L);
    if (handles != 1) {
      String detail = handles + " rocBLAS handles were made, should be 1";
      return new Finding(Outcome.LEAK, detail, counters, millis);
    }
    return tally.right(counters, millis);
  }
}
