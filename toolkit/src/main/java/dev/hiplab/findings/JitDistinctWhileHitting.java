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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * mlxcel 2183, acceptance (distinct_kernels_first_launch_while_others_hit_cache): one thread
 * repeatedly launches a variant of the probe that is warm while eight threads behind a barrier each
 * first-launch a variant of their own. All outputs exact. Afterwards each variant is launched once
 * more, and must be found: one module a key.
 *
 * <p>The source has 16 rounds; these are 4, as each costs eight compilations of some 0.1 s, and
 * enough for the map to grow twice while the others look into it (libstdc++: at its 14th and 30th
 * key). The variants are the same in every run, so that the first run alone compiles them and later
 * ones find their code on the disk within a millisecond or so: the inserts, which are what races,
 * then come closer together.
 *
 * <p>Forced, A is building its module, having chosen a bucket for it, while B first-launches 21
 * others and the map grows; as filed A's module is then stored where no lookup finds it, and the
 * next launch compiles it again. (libstdc++ 12 looks through maps of up to 20 strings one by one,
 * and would find it there in a smaller one.)
 */
public final class JitDistinctWhileHitting extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int ROUNDS = 4;
  private static final int GROWS = 21;

  public JitDistinctWhileHitting() {
    super(
        "jit.distinct-while-hitting",
        "mlxcel 2183",
        "first launches of new kernels by many threads while another launches a known one",
        "An insert that grows the table rehashes it while other threads are inside find and"
            + " try_emplace.");
  }

  @Override
  public String needs() {
    return "a compiler for kernels";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("module-cache", Form.FILED), Set.of(Outcome.LEAK, Outcome.CRASH, Outcome.ERROR)),
        Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.forced(
            "order A:modulecache.compile.begin arrived -> B:work.begin",
            "order B:work.end -> A:modulecache.compile.begin"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    List<ProbeKernel> probes = new ArrayList<>();
    try {
      ProbeKernel warm = added(probes, "warm");
      String lacking = warm.lacking(trial);
      if (!lacking.isEmpty()) {
        return Finding.notApplicable(lacking, Map.of());
      }
      Evaluations found = new Evaluations();
      evaluate(trial, found, List.of(warm));
      if (trial.forced()) {
        found.ended(forced(trial, found, probes));
      }
      for (int round = 0; round < ROUNDS && !trial.forced() && !found.failed(); round++) {
        found.ended(round(trial, found, probes, round));
      }
      if (!found.failed()) {
        evaluate(trial, found, probes);
      }
      Map<String, Long> seen = trial.backend().counters();
      long modules = seen.getOrDefault("handles.modules", 0L);
      String sentence = modules + " modules were made for " + probes.size() + " keys";
      return found.finding(seen, Outcome.LEAK, modules == probes.size() ? "" : sentence);
    } finally {
      probes.forEach(ProbeKernel::close);
    }
  }

  private static Actors forced(Trial trial, Evaluations found, List<ProbeKernel> probes)
      throws InterruptedException {
    List<ProbeKernel> ofA = List.of(added(probes, "a"));
    List<ProbeKernel> ofB = new ArrayList<>();
    for (int i = 0; i < GROWS; i++) {
      ofB.add(added(probes, "b" + i));
    }
    Actors actors = new Actors();
    actors.add("A", () -> evaluate(trial, found, ofA));
    actors.add("B", () -> evaluate(trial, found, ofB));
    actors.run();
    return actors;
  }

  private static Actors round(Trial trial, Evaluations found, List<ProbeKernel> probes, int round)
      throws InterruptedException {
    List<ProbeKernel> warm = List.of(probes.get(0));
    AtomicInteger busy = new AtomicInteger(THREADS);
    Actors actors = new Actors();
    actors.add(
        "hitting",
        () -> {
          do {
            evaluate(trial, found, warm);
          } while (busy.get() > 0);
        });
    for (String name : trial.names(THREADS)) {
      List<ProbeKernel> own = List.of(added(probes, round + "_" + name.replace('-', '_')));
      actors.add(
          name,
          () -> {
            try {
              evaluate(trial, found, own);
            } finally {
              busy.decrementAndGet();
            }
          });
    }
    actors.run();
    return actors;
  }

  private static ProbeKernel added(List<ProbeKernel> probes, String variant) {
    ProbeKernel probe = new ProbeKernel(variant);
    probes.add(probe);
    return probe;
  }

  private static void evaluate(Trial trial, Evaluations found, List<ProbeKernel> probes) {
    Device device = trial.backend().device(0);
    try (Stream stream = device.stream()) {
      probes.forEach(probe -> found.evaluate(probe, stream));
    }
  }
}
