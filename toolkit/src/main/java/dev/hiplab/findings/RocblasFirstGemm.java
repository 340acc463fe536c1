package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
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
 * mlxcel 2198, acceptance: eight threads, each with a stream of its own, wait on a barrier with no
 * GEMM run yet in the process, then compute 33 f32 matmuls of [64, 128] x [128, 64] with integer
 * inputs in -4..4 from a per-thread seed. Each output must be the host's integer product, and the
 * process must have made one rocBLAS handle.
 *
 * <p>f32 GEMMs take rocBLAS on every device, as with MLX_NO_HIPBLASLT=1 in the source.
 */
public final class RocblasFirstGemm extends SourcedScenario {
  static final int THREADS = 8;
  static final int ROUNDS = 33;

  /** The GEMM of the source. */
  public static final GemmCase F32 = new GemmCase(DType.F32, Gemm.NN, 1, 64, 64, 128, 4);

  public RocblasFirstGemm() {
    super(
        "rocblas.first-gemm",
        "mlxcel 2198",
        "the first GEMM of a process on many threads",
        "The flag says initialized before the handle is made: a second thread gets a null handle"
            + " and its GEMM writes nothing, or two handles are made and one leaks.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("rocblas-handle", Form.FILED, "router", Form.FILED),
            // What the source names: a null handle writes nothing, or two handles are made.
            Set.of(Outcome.WRONG_RESULT, Outcome.LEAK)),
        Form.fixed(),
        // Upstream's way: a handle for each thread.
        Form.right("PER_THREAD", Map.of("rocblas-handle", "PER_THREAD")));
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.delayed("delay rocblas.create.begin 20ms"),
        // "A second thread that arrives in that window sees the flag": B computes while A is about
        // to create.
        Interleaving.forced(
                "order A:rocblas.create.begin arrived -> B:work.begin",
                "order B:work.end -> A:rocblas.create.begin")
            .named("null-handle"),
        // "If both threads read the flag before either writes it, both create a handle."
        Interleaving.forced(
                "order A:rocblas.init.flag-read arrived -> B:rocblas.init.flag-read",
                "order B:rocblas.init.flag-read arrived -> A:rocblas.init.flag-read")
            .named("two-handles"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    ManyThreads threads = new ManyThreads(trial, THREADS, ROUNDS, List.of(F32));
    Tally tally = threads.run();
    Map<String, Long> seen = trial.backend().counters();
    Finding finding = tally.finding(seen, threads.workMillis());
    long handles = seen.getOrDefault("calls.rocblas_create_handle", 0L);
    boolean each = trial.form().of("rocblas-handle").equals("PER_THREAD");
    long right = each ? threads.count() : 1;
    if (tally.isRight() && handles != right) {
      return finding.as(
          handles < right ? Outcome.MISROUTED : Outcome.LEAK,
          handles + " rocBLAS handles were made, should be " + right);
    }
    return finding;
  }
}
