package dev.hiplab.findings;

import dev.hiplab.Backend;
import dev.hiplab.Device;
import dev.hiplab.Event;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2197: as filed the event pool's map is a function-static that exit destroys, so that an
 * event which a later static destructor releases goes into a destroyed map, and the map's own
 * destructor destroys every pooled event. The fixed pool is leaked with the process's backend.
 *
 * <p>On a backend that is never closed, as a process's own, eight events are made; the first is
 * recorded and waited for. A static object of the native library, which was made before the pool
 * and so is destroyed after it, gives all of them back while the process exits. What the workload
 * itself sees is right in both forms: the oracle is the end of the process, exit code 0 and not a
 * word of the pool or of hipEventDestroy on standard error, which its parent looks at.
 */
public final class EventTeardown extends SourcedScenario {
  private static final int EVENTS = 8;

  // Reachable for as long as the process runs: a cleaner would close it.
  private static Backend neverClosed;

  public EventTeardown() {
    super(
        "event.teardown",
        "mlxcel 2197",
        "events that a static destructor releases while the process exits",
        "A HipEvent released during static teardown pushes into a destroyed map.");
  }

  @Override
  public Map<String, Integer> stderrLines() {
    return Map.of("event pool", 0, "hipEventDestroy", 0);
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("event-pool", Form.FILED), Set.of(Outcome.CRASH, Outcome.ERROR)),
        Form.fixed());
  }

  @Override
  public Finding run(Trial trial) {
    neverClosed = Backend.open(trial.backend().options());
    Device device = neverClosed.device(0);
    boolean waited = false;
    try (Stream stream = device.stream()) {
      for (int i = 0; i < EVENTS; i++) {
        Event event = device.event();
        if (i == 0) {
          stream.record(event);
          event.synchronize();
          waited = event.done();
        }
        event.keepUntilExit();
      }
    }
    Map<String, Long> seen = neverClosed.counters();
    return waited
        ? new Finding(Outcome.EXACT, "", seen, Double.NaN)
        : new Finding(Outcome.WRONG_RESULT, "the recorded event is not done", seen, Double.NaN);
  }
}
