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
import java.util.TreeMap;

/**
 * mlxcel 2197, acceptance (streams_created_while_others_evaluate): 16 rounds of eight threads that
 * wait on a barrier; then each creates a stream on device 0, evaluates arange(256) * 2 + 1 and
 * checks every element exactly. "Concurrent first-use of one index from several threads builds one
 * Device": the counter {@code handles.devices} is the oracle, as a second Device computes as
 * rightly as the first.
 *
 * <p>Unlike the source's host, whose first stream is made before any thread, nothing has opened the
 * device before the first round. The kernel has been compiled by then, on another backend. In the
 * source a lock of the caller (all_streams) keeps two first inserts apart; here nothing does. The
 * window is some microseconds once in a process, so that natural runs rarely show it; in the forced
 * order B opens the device while A is in Device's constructor. EAGER, upstream's way, is right here
 * and rejected because it touches devices that nobody asked for: that needs two devices to show.
 */
public final class DeviceMapStreams extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int ROUNDS = 16;
  private static final String EAGER = "EAGER";

  public DeviceMapStreams() {
    super(
        "device-map.streams-while-evaluating",
        "mlxcel 2197",
        "streams of many threads, created on one device while others evaluate",
        "The device map's find and insert are not locked: two threads that miss a device both"
            + " construct it. Constructing all devices at once touches those nobody asked for.");
  }

  @Override
  public String needs() {
    return "a compiler for kernels; for EAGER to show, 2 devices";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        // "A data race and undefined behavior"; two Devices of one index, of which one is lost.
        Form.filed(
            Map.of("device-map", Form.FILED),
            Set.of(Outcome.LEAK, Outcome.CRASH, Outcome.WRONG_RESULT)),
        Form.fixed(),
        Form.wrong(EAGER, Map.of("device-map", EAGER), Set.of(Outcome.MISROUTED)));
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.delayed("delay traits.create.begin 5ms"),
        // B misses the device too while A is in its constructor, which finds its traits.
        Interleaving.forced(
            "order A:traits.create.begin arrived -> B:work.begin",
            "order B:work.end -> A:traits.create.begin"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    if (trial.form().of("device-map").equals(EAGER) && trial.backend().devices().size() < 2) {
      return Finding.notApplicable(
          "EAGER touches devices that nobody asked for, and the backend has 1: --devices 2",
          Map.of());
    }
    Device device = trial.backend().device(0);
    try (ProbeKernel probe = new ProbeKernel("warm")) {
      String lacking = probe.lacking(trial);
      if (!lacking.isEmpty()) {
        return Finding.notApplicable(lacking, Map.of());
      }
      Evaluations found = new Evaluations();
      for (int round = 0; round < (trial.forced() ? 1 : ROUNDS) && !found.failed(); round++) {
        Actors actors = new Actors();
        for (String name : trial.names(THREADS)) {
          actors.add(
              name,
              () -> {
                try (Stream stream = device.stream()) {
                  found.evaluate(probe, stream);
                }
              });
        }
        actors.run();
        found.ended(actors);
      }
      return judged(trial, found);
    }
  }

  private static Finding judged(Trial trial, Evaluations found) {
    TreeMap<String, Long> seen = new TreeMap<>(trial.backend().counters());
    long made = devices(seen);
    long touched = touched(trial);
    seen.put("devices.touched-unasked", touched);
    if (touched > 0) {
      String sentence = "devices opened that nobody had asked for: " + touched;
      return found.finding(seen, Outcome.MISROUTED, sentence);
    }
    String twice = made + " Devices were constructed for index 0, should be 1";
    return found.finding(seen, Outcome.LEAK, made == 1 ? "" : twice);
  }

  /** Devices but the first that are in the map: opening one that is constructs none. */
  private static long touched(Trial trial) {
    long touched = 0;
    for (Device other : trial.backend().devices().subList(1, trial.backend().devices().size())) {
      long before = devices(trial.backend().counters());
      other.stream().close();
      touched += devices(trial.backend().counters()) == before ? 1 : 0;
    }
    return touched;
  }

  private static long devices(Map<String, Long> counters) {
    return counters.getOrDefault("handles.devices", 0L);
  }
}
