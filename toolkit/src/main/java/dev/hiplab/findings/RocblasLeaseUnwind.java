package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2198, edge cases of the lease: an exception inside it unlocks, and asking whether rocBLAS
 * is available while another thread holds it does not wait.
 *
 * <p>The second rocblas_sgemm fails inside its lease. A then runs f32 GEMMs, which lease again, and
 * B bf16 GEMMs: each of those asks for rocBLAS first and then takes hipBLASLt. Forced, B does all
 * of its work while A holds the lease: the order must hold, as an available rocBLAS needs no lock.
 */
public final class RocblasLeaseUnwind extends SourcedScenario {
  private static final GemmCase BF16 = new GemmCase(DType.BF16, Gemm.NT, 1, 64, 64, 64, 2);
  private static final int ROUNDS = 8;

  public RocblasLeaseUnwind() {
    super(
        "rocblas.lease-unwind",
        "mlxcel 2198",
        "an exception inside a rocBLAS lease, and a question while it is held",
        "An exception inside a lease unlocks it, and the availability check while a lease is held"
            + " does not deadlock.");
  }

  @Override
  public Options options(Options options) {
    return options.withFailCall("rocblas_sgemm#2:6"); // rocblas_status_internal_error
  }

  @Override
  public List<Form> forms() {
    Form fixed = Form.fixed();
    // An order that is excluded here would be the deadlock that the source rules out.
    return List.of(
        new Form(
            Form.FIXED,
            Map.of(),
            Set.of(Outcome.EXACT, Outcome.WITHIN_BOUND),
            union(fixed.forbidden(), Outcome.EXCLUDED)));
  }

  private static Set<Outcome> union(Set<Outcome> some, Outcome one) {
    Set<Outcome> all = new HashSet<>(some);
    all.add(one);
    return all;
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.forced(
            "order A:rocblas.rebind.done arrived -> B:work.begin",
            "order B:work.end -> A:rocblas.rebind.done"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    Tally tally = new Tally();
    try (Stream streamA = device.stream();
        Stream streamB = device.stream();
        CheckedGemm warm = new CheckedGemm(trial, device, RocblasFirstGemm.F32, 2, 0);
        CheckedGemm warmHalf = new CheckedGemm(trial, device, BF16, 2, 1)) {
      warm.enqueue(streamA);
      warmHalf.enqueue(streamB);
      String thrown = thrown(warm, streamA);
      if (!thrown.contains("rocblas_status_internal_error")) {
        String said = thrown.isEmpty() ? "nothing was thrown" : thrown;
        return new Finding(
            Outcome.ERROR,
            "the failed GEMM does not name its status: " + said,
            Map.of(),
            Double.NaN);
      }
      Tally ofB = new Tally();
      Actors actors =
          new Actors()
              .add("A", () -> rounds(trial, device, streamA, RocblasFirstGemm.F32, 0, tally))
              .add("B", () -> rounds(trial, device, streamB, BF16, 1, ofB));
      actors.run();
      tally.add(ofB);
      tally.failed(actors.firstError());
      return tally.finding(trial.backend().counters(), actors.workMillis());
    }
  }

  private static String thrown(CheckedGemm gemm, Stream stream) {
    try {
      gemm.gemm(stream);
      return "";
    } catch (HiplabException e) {
      return e.getMessage();
    }
  }

  private static void rounds(
      Trial trial, Device device, Stream stream, GemmCase gemm, int who, Tally tally) {
    for (int round = 0; round < ROUNDS; round++) {
      try (CheckedGemm one = new CheckedGemm(trial, device, gemm, who, round)) {
        one.enqueue(stream);
        one.read(stream);
        one.check(tally, who, round);
      }
    }
  }
}
