package dev.hiplab.findings;

import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.Optional;

/**
 * A finding about workspace, on a device whose heuristic asks for some for the GEMM of {@link
 * BlasLtSharedWorkspace}; elsewhere it is not applicable. What hipblasLtMatmul was given is judged
 * beside the outputs.
 */
abstract class ScratchScenario extends SourcedScenario {
  ScratchScenario(String id, String source, String title, String claim) {
    super(id, source, title, claim);
  }

  @Override
  public final String needs() {
    return Scratch.NEED;
  }

  @Override
  public final Finding run(Trial trial) throws InterruptedException {
    Scratch scratch = Scratch.of(trial, BlasLtSharedWorkspace.BF16);
    Optional<Finding> lacking = scratch.lacking();
    if (lacking.isPresent()) {
      return lacking.get();
    }
    Finding finding = work(trial);
    return Misuse.read(finding.withCounters(scratch.counters(finding.counters())));
  }

  /** The workload, where the device has what it needs. */
  abstract Finding work(Trial trial) throws InterruptedException;
}
