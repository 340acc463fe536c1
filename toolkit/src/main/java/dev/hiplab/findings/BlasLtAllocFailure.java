package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.Options;
import dev.hiplab.Stream;
import dev.hiplab.Tuned;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * mlxcel 2200: a workspace that cannot be allocated. Fixed, the GEMM throws "failed to allocate
 * workspace of N bytes" (its caller then takes rocBLAS, and says so once on stderr), a tune loop
 * skips the algorithm, and no null buffer reaches hipblasLtMatmul. As filed the failure is silent,
 * and the buffer that is there afterwards is smaller than what every heuristic may ask for.
 *
 * <p>One thread runs the bf16 GEMM of {@link BlasLtSharedWorkspace} when the first hipMalloc after
 * those of its matrices fails; or it tunes the shape while those after the tune's output fail, and
 * then runs it. No race; the oracle is who is told, and what hipblasLtMatmul is given.
 */
public final class BlasLtAllocFailure extends SourcedScenario {
  private static final int CANDIDATES = 8;
  private static final String TUNE = "tune";

  public BlasLtAllocFailure() {
    super(
        "blaslt.alloc-failure",
        "mlxcel 2200",
        "the workspace of a GEMM cannot be allocated",
        "Fixed, the GEMM throws the size that it needs and a tune loop skips that algorithm; no null"
            + " buffer reaches matmul.");
  }

  @Override
  public String needs() {
    return Scratch.NEED;
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(Interleaving.natural(), Interleaving.natural().named(TUNE));
  }

  @Override
  public boolean runs(Form form, Interleaving interleaving) {
    // What a tune says does not depend on who allocates.
    return interleaving.name().isEmpty() || form.name().equals(Form.FIXED);
  }

  @Override
  public Options options(Options options, Interleaving interleaving) {
    // hipErrorOutOfMemory. Three matrices come first; a tune allocates its output as well.
    boolean tune = interleaving.name().equals(TUNE);
    return options.withFailCall(tune ? "hipMalloc#5-12:2" : "hipMalloc#4:2");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("workspace", Form.FILED, "blaslt-handle", Form.FILED),
            Set.of(Outcome.MISROUTED)),
        Form.fixed());
  }

  @Override
  public Finding run(Trial trial) {
    Device device = trial.backend().device(0);
    GemmCase gemm = BlasLtSharedWorkspace.BF16;
    boolean tune = trial.interleaving().name().equals(TUNE);
    Tally tally = new Tally();
    long skipped = 0;
    long measured = 0;
    try (CheckedGemm one = new CheckedGemm(trial, device, gemm, 0, 0);
        Stream stream = device.stream()) {
      if (tune) {
        for (Tuned tuned : one.tune(stream, CANDIDATES)) {
          skipped += tuned.skipped().contains("no workspace of") ? 1 : 0;
          measured += tuned.skipped().isEmpty() ? 1 : 0;
        }
      }
      one.enqueue(stream);
      one.read(stream);
      one.check(tally, 0, 0);
    }
    Map<String, Long> counters = new TreeMap<>(trial.backend().counters());
    counters.put("tune.skipped", skipped);
    counters.put("tune.measured", measured);
    Scratch scratch = Scratch.of(trial, gemm);
    Optional<Finding> lacking = scratch.lacking();
    if (lacking.isPresent()) {
      return lacking.get();
    }
    Finding finding = Misuse.read(tally.finding(scratch.counters(counters), Double.NaN));
    long refused = tune ? skipped : counters.getOrDefault("route.fallback", 0L);
    return finding.outcome().isRight() && refused == 0
        ? finding.as(Outcome.MISROUTED, "nobody was told that there was no workspace")
        : finding;
  }
}
