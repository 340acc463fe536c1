package dev.hiplab.findings;

import dev.hiplab.Backend;
import dev.hiplab.Device;
import dev.hiplab.HostGate;
import dev.hiplab.Options;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * MIOpen 12265, review point 1: acquire() can wait for ever if a query returns any error other than
 * hipErrorNotReady. HIP's device error stays, and the backlog can never drain.
 *
 * <p>As many evaluations as may run are abandoned, which is the backlog at its cap, and then a
 * query is answered with hipErrorIllegalAddress (700) up to {@link #ANSWERS} times in a row: an
 * injected failure, as in the source. A form asks hipEventQuery or hipStreamQuery; each of the two
 * fails in a backend of its own, and counts where it was asked. Right is an exception that names
 * the status. An acquire() that was answered with the error many times and has neither thrown nor
 * returned waits for ever: HANG, here without the wait, as the answers then end.
 *
 * <p>Needs no race: natural runs do it every time.
 */
public final class ReclaimStickyError extends SourcedScenario {
  private static final int ANSWERS = 60;
  private static final int MANY = 20;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final List<String> QUERIES = List.of("hipEventQuery", "hipStreamQuery");

  public ReclaimStickyError() {
    super(
        "reclaim.sticky-error",
        "MIOpen 12265",
        "the next evaluation when the device has an error that stays",
        "acquire() waits for ever when an abandoned stream answers with an error other than"
            + " not-ready.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("stream-tracker", Form.FILED), Set.of(Outcome.HANG)), Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Map<String, Long> counters = new TreeMap<>(trial.backend().counters());
    List<String> asked = new ArrayList<>();
    Outcome outcome = Outcome.EXACT;
    String detail = "";
    for (String query : QUERIES) {
      String spec = query + "#1-" + ANSWERS + ":" + ILLEGAL_ADDRESS;
      Acquire acquire = acquire(trial.backend().options().withFailCall(spec));
      counters.put("answered." + query, acquire.injected);
      if (acquire.injected == 0) {
        continue; // this form does not ask it
      }
      asked.add(query);
      counters.put("threw." + query, acquire.threwWhileLost ? 1L : 0L);
      if (acquire.threwWhileLost && acquire.status == ILLEGAL_ADDRESS) {
        continue;
      }
      outcome = acquire.injected >= MANY ? Outcome.HANG : Outcome.ERROR;
      detail =
          "acquire() was answered hipErrorIllegalAddress (700) by "
              + query
              + " "
              + acquire.injected
              + " times and "
              + (acquire.threwWhileLost ? "threw " + acquire.said : "went on waiting");
    }
    if (asked.isEmpty()) {
      outcome = Outcome.ERROR;
      detail = "acquire() at the cap asked none of " + QUERIES;
    }
    return new Finding(outcome, detail, counters, Double.NaN);
  }

  private record Acquire(long injected, boolean threwWhileLost, int status, String said) {}

  /** One acquire at the cap of a backend whose query fails. */
  private static Acquire acquire(Options options) throws InterruptedException {
    try (Backend backend = Backend.open(options);
        HostGate gate = backend.hostGate()) {
      Device device = backend.device(0);
      Backlog.fillRunning(device, gate);
      WaitingCall caller = new WaitingCall("acquire", () -> device.acquireStream().release());
      long before = queries(backend);
      caller.start();
      Patience.until(() -> caller.ended() || queries(backend) - before >= ANSWERS);
      boolean threw = caller.ended() && !caller.error().isEmpty();
      long injected = backend.counters().get("faults.injected");
      gate.open(); // and the answers are true again, or soon
      caller.awaitEnd();
      return new Acquire(injected, threw, caller.status(), caller.error());
    }
  }

  private static long queries(Backend backend) {
    Map<String, Long> counters = backend.counters();
    long calls = counters.get("faults.injected");
    for (String query : QUERIES) {
      calls += counters.getOrDefault("calls." + query, 0L);
    }
    return calls;
  }
}
