package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * mlxcel 2183, error handling: "a compile or load failure throws out of the constructor. Under the
 * unique_lock, the unlock happens when the exception unwinds, and nothing is inserted, so the next
 * caller retries."
 *
 * <p>Eight threads behind a barrier launch one new variant of the probe; the driver fails the first
 * two compilations with HIPRTC_ERROR_COMPILATION. A thread that is refused asks again. Right is:
 * two errors that name the status, every output exact, one module. The threads that wait for the
 * lock while a compilation fails show that it unlocks.
 */
public final class JitCompileFailure extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int FAILURES = 2;
  private static final String STATUS = "HIPRTC_ERROR_COMPILATION";

  public JitCompileFailure() {
    super(
        "jit.compile-failure",
        "mlxcel 2183",
        "compilations that fail while other threads wait for the same kernel",
        "A failed compile inserts nothing and unlocks, and the next call tries again.");
  }

  @Override
  public String needs() {
    return "a compiler for kernels";
  }

  @Override
  public Options options(Options options) {
    return options.withFailCall("hiprtcCompileProgram#1-" + FAILURES + ":6");
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    try (ProbeKernel probe = new ProbeKernel("warm")) {
      String lacking = probe.lacking(trial);
      if (!lacking.isEmpty()) {
        return Finding.notApplicable(lacking, Map.of());
      }
      Evaluations found = new Evaluations();
      AtomicInteger errors = new AtomicInteger();
      Actors actors = new Actors();
      for (String name : trial.names(THREADS)) {
        actors.add(
            name,
            () -> {
              try (Stream stream = device.stream()) {
                untilServed(found, probe, stream, errors);
              }
            });
      }
      actors.run();
      found.ended(actors);
      TreeMap<String, Long> seen = new TreeMap<>(trial.backend().counters());
      seen.put("errors.naming-the-status", (long) errors.get());
      long modules = seen.getOrDefault("handles.modules", 0L);
      boolean right = modules == 1 && errors.get() == FAILURES;
      String sentence =
          errors + " errors and " + modules + " modules, should be " + FAILURES + " and 1";
      return found.finding(seen, Outcome.ERROR, right ? "" : sentence);
    }
  }

  private static void untilServed(
      Evaluations found, ProbeKernel probe, Stream stream, AtomicInteger errors) {
    for (int failed = 0; failed <= FAILURES; failed++) {
      try {
        found.evaluate(probe, stream);
        return;
      } catch (HiplabException e) {
        if (!e.getMessage().contains(STATUS)) {
          throw e;
        }
        errors.incrementAndGet();
      }
    }
  }
}
