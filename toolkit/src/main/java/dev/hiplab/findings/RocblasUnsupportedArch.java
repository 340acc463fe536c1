package dev.hiplab.findings;

import dev.hiplab.Options;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;

/**
 * mlxcel 2198, edge case: an architecture without rocBLAS kernels. That is permanent, no handle is
 * ever asked for, and callers keep their fallback, here a kernel of our own.
 *
 * <p>The software device gives gfx1010 as its architecture. Eight threads run 3 rounds of the f32
 * GEMM of {@link RocblasFirstGemm}; every one of them must take the fallback and be exact.
 */
public final class RocblasUnsupportedArch extends SourcedScenario {
  private static final int ROUNDS = 3;
  private static final String ARCH = "gfx1010";

  public RocblasUnsupportedArch() {
    super(
        "rocblas.unsupported-arch",
        "mlxcel 2198",
        "f32 GEMMs of many threads where rocBLAS has no kernels",
        "Unavailable for good: no handle is created, and every GEMM takes the fallback.");
  }

  @Override
  public String needs() {
    return "the software device, which can name itself by another architecture, and a C++ compiler";
  }

  @Override
  public Options options(Options options) {
    return options.withHostArch(ARCH);
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    // A GPU has the architecture that it has.
    String arch = trial.backend().device(0).info().getOrDefault("arch", "");
    if (!arch.startsWith(ARCH)) {
      return Finding.notApplicable(
          "the device is "
              + arch
              + ", and the finding needs one without rocBLAS, as "
              + ARCH
              + " is",
          Map.of());
    }
    ManyThreads threads =
        new ManyThreads(trial, RocblasFirstGemm.THREADS, ROUNDS, List.of(RocblasFirstGemm.F32));
    Tally tally = threads.run();
    Map<String, Long> seen = trial.backend().counters();
    Finding finding = tally.finding(seen, threads.workMillis());
    long all = (long) RocblasFirstGemm.THREADS * ROUNDS;
    long fallback = seen.getOrDefault("route.jit", 0L);
    long handles = seen.getOrDefault("calls.rocblas_create_handle", 0L);
    if (tally.isRight() && (fallback != all || handles != 0)) {
      return finding.as(
          Outcome.MISROUTED,
          fallback
              + " of "
              + all
              + " GEMMs took the fallback, and "
              + handles
              + " handles were made");
    }
    return finding;
  }
}
