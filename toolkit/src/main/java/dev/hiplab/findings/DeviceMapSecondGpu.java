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
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * mlxcel 2197, acceptance (second_gpu_first_stream_while_first_gpu_evaluates): eight threads keep
 * evaluating arange(256) * 2 + 1 on device 0, each on a stream of its own, while one thread creates
 * the first stream on device 1 and evaluates the same there. All exact, and one Device of each.
 *
 * <p>The order {@code lookup} is the source's: B evaluates on device 0, and walks the map, while A
 * is about to insert device 1. As filed it holds, and does no harm ("libstdc++ does not rehash at
 * the second insert"), so it is a guard, and what tells the forms apart is that the fixed one
 * excludes it. In {@code both-first} nothing has opened device 0 either: B's insert, the map's
 * first, grows it from 1 bucket to 13 after A has chosen its bucket, and A's Device is filed where
 * no lookup finds it: the next one constructs another.
 */
public final class DeviceMapSecondGpu extends SourcedScenario {
  private static final int EVALUATING = 8;
  private static final String BOTH_FIRST = "both-first";

  public DeviceMapSecondGpu() {
    super(
        "device-map.second-gpu",
        "mlxcel 2197",
        "the first stream on a second device while others evaluate on the first",
        "The insert of device 1 and lookups of device 0 are not kept apart, which is a data race.");
  }

  @Override
  public String needs() {
    return "2 devices (--devices 2) and a compiler for kernels";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("device-map", Form.FILED),
            Set.of(Outcome.LEAK, Outcome.CRASH, Outcome.WRONG_RESULT)),
        Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.delayed("delay devicemap.create.begin 5ms"),
        Interleaving.forced(
                "order A:devicemap.create.begin arrived -> B:work.begin",
                "order B:work.end -> A:devicemap.create.begin")
            .named("lookup"),
        // Device's constructor finds the traits.
        Interleaving.forced(
                "order A:traits.create.begin arrived -> B:work.begin",
                "order B:work.end -> A:traits.create.begin")
            .named(BOTH_FIRST));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    List<Device> devices = trial.backend().devices();
    if (devices.size() < 2) {
      return Finding.notApplicable(
          "the backend has 1 device, and the finding needs 2: --devices 2", Map.of());
    }
    try (ProbeKernel probe = new ProbeKernel("warm")) {
      String lacking = probe.lacking(trial);
      if (!lacking.isEmpty()) {
        return Finding.notApplicable(lacking, Map.of());
      }
      Evaluations found = new Evaluations();
      if (!trial.interleaving().name().equals(BOTH_FIRST)) {
        evaluate(found, probe, devices.get(0));
      }
      AtomicBoolean opened = new AtomicBoolean();
      Actors actors = new Actors();
      actors.add(
          trial.forced() ? "A" : "opener",
          () -> {
            try {
              evaluate(found, probe, devices.get(1));
            } finally {
              opened.set(true);
            }
          });
      for (String name : trial.forced() ? List.of("B") : trial.names(EVALUATING)) {
        actors.add(name, () -> keepEvaluating(trial, found, probe, opened));
      }
      actors.run();
      found.ended(actors);
      Map<String, Long> seen = trial.backend().counters();
      long made = seen.getOrDefault("handles.devices", 0L);
      String sentence = made + " Devices were constructed for 2 indices";
      return found.finding(seen, Outcome.LEAK, made == 2 ? "" : sentence);
    }
  }

  private static void keepEvaluating(
      Trial trial, Evaluations found, ProbeKernel probe, AtomicBoolean opened) {
    try (Stream stream = trial.backend().device(0).stream()) {
      do {
        found.evaluate(probe, stream);
      } while (!trial.forced() && !opened.get());
    }
  }

  private static void evaluate(Evaluations found, ProbeKernel probe, Device device) {
    try (Stream stream = device.stream()) {
      found.evaluate(probe, stream);
    }
  }
}
