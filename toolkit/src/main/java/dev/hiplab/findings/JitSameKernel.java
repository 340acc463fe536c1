package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2183, acceptance (same_kernel_first_launch_from_many_threads): in each round eight threads
 * with a new stream each wait on a barrier, launch that round's variant of the probe, which nobody
 * has launched before, on f32 arange(256), and check every element for 2 * i + 1 exactly. Duplicate
 * modules compute as rightly as one, so the oracle is their number: one a key.
 *
 * <p>Each of the 16 rounds compiles with the machine's C++ compiler, for 0.1 s on an idle machine
 * and 0.7 s on a busy one. The variants' names are new in every natural run: the disk cache of the
 * software device would give the code of an earlier run's within a millisecond. A forced order does
 * not depend on the time, and uses one name.
 */
public final class JitSameKernel extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int ROUNDS = 16;

  public JitSameKernel() {
    super(
        "jit.same-kernel",
        "mlxcel 2183",
        "first launches of one new kernel by many threads",
        "Two threads that miss the same key both compile and both insert; an insert that grows the"
            + " table rehashes it while another thread is inside find.");
  }

  @Override
  public String needs() {
    return "a compiler for kernels";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        // "Its failure is a crash or a corrupted kernel handle, not a wrong number."
        Form.filed(
            Map.of("module-cache", Form.FILED), Set.of(Outcome.LEAK, Outcome.CRASH, Outcome.ERROR)),
        Form.fixed(),
        Form.right("ONCE_PER_KEY", Map.of("module-cache", "ONCE_PER_KEY")));
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        // B misses the key too while A compiles: "both compile and both insert".
        Interleaving.forced(
            "order A:modulecache.compile.begin arrived -> B:work.begin",
            "order B:work.end -> A:modulecache.compile.begin"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    try (ProbeKernel warm = new ProbeKernel("warm")) {
      String lacking = warm.lacking(trial);
      if (!lacking.isEmpty()) {
        return Finding.notApplicable(lacking, Map.of());
      }
    }
    Evaluations found = new Evaluations();
    String run = trial.forced() ? "forced" : Long.toHexString(System.nanoTime());
    int rounds = 0;
    while (rounds < (trial.forced() ? 1 : ROUNDS) && !found.failed()) {
      round(trial, found, "same_" + run + "_" + rounds++);
    }
    Map<String, Long> seen = trial.backend().counters();
    long modules = seen.getOrDefault("handles.modules", 0L);
    String sentence = modules + " modules were made for " + rounds + " keys";
    return found.finding(seen, Outcome.LEAK, modules == rounds ? "" : sentence);
  }

  private static void round(Trial trial, Evaluations found, String variant)
      throws InterruptedException {
    Device device = trial.backend().device(0);
    try (ProbeKernel probe = new ProbeKernel(variant)) {
      Actors actors = new Actors();
      for (String name : trial.names(THREADS)) {
        Stream stream = device.stream();
        actors.add(name, () -> {}, () -> found.evaluate(probe, stream), stream::close);
      }
      actors.run();
      found.ended(actors);
    }
  }
}
