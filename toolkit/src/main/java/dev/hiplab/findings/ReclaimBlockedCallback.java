package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.DisposableStream;
import dev.hiplab.HostGate;
import dev.hiplab.Stream;
import dev.hiplab.TrackerState;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * MIOpen 12265, known limitations: host callbacks run one at a time in the process, so that a
 * blocking host function elsewhere delays release. The slot is still reclaimed at the next
 * acquire() through its done event; its scratch stays pinned until then.
 *
 * <p>A host function blocks. As many evaluations as may be abandoned at once are, with 16 KiB of
 * scratch each and their work at its end: none may come back, as no callback runs. The next
 * acquire() must return all the same, and with a stream of the pool, although the backlog is at its
 * cap. When the host function has returned, all scratch must be free and the late callbacks must
 * retire nothing: the stream that was given out stays so.
 *
 * <p>Needs no race: natural runs do it every time.
 */
public final class ReclaimBlockedCallback extends SourcedScenario {
  public ReclaimBlockedCallback() {
    super(
        "reclaim.blocked-callback",
        "MIOpen 12265",
        "the next evaluation while a host function blocks every callback",
        "A blocked callback delays release, and the done event returns the slot at the next"
            + " acquire.");
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    int cap = Backlog.cap();
    Map<String, Long> counters = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    boolean hung;
    AtomicReference<DisposableStream> taken = new AtomicReference<>();
    WaitingCall taker = new WaitingCall("acquire", () -> taken.set(device.acquireStream()));
    try (Stream elsewhere = device.stream();
        HostGate blocked = device.backend().hostGate()) {
      elsewhere.waitAt(blocked);
      Patience.until(blocked::reached);
      Backlog.fillEnded(device);
      TrackerState before = device.trackerState();
      counters.put("draining.while-blocked", before.draining());
      counters.put("pinned.while-blocked", before.pinnedBytes());
      require(wrong, before.draining() == cap, "before the acquire: " + before);
      require(wrong, before.pinnedBytes() == cap * Overrun.SCRATCH_BYTES, "pinned: " + before);
      taker.start();
      hung = !taker.awaitEnd();
      TrackerState after = device.trackerState();
      counters.put("draining.after-acquire", after.draining());
      counters.put("owned.after-acquire", after.owned());
      require(wrong, hung || after.owned() == cap, "a new stream was made: " + after);
      require(wrong, hung || after.draining() < cap, "no slot came back: " + after);
    }
    taker.awaitEnd();
    boolean freed = Patience.until(() -> Backlog.isDrained(device));
    TrackerState end = device.trackerState();
    counters.put("pinned.at-end", end.pinnedBytes());
    require(wrong, end.acquired() == 1, "the stream in use did not stay so: " + end);
    if (taken.get() != null) {
      taken.get().release();
    }
    counters.putAll(trial.backend().counters());
    Outcome outcome =
        hung
            ? Outcome.HANG
            : !wrong.isEmpty() ? Outcome.MISROUTED : freed ? Outcome.EXACT : Outcome.LEAK;
    String detail =
        hung
            ? "acquire() waited for the blocked callback"
            : freed ? String.join("; ", wrong) : "with every callback run: " + end;
    return new Finding(outcome, detail, counters, Double.NaN);
  }

  private static void require(List<String> wrong, boolean right, String what) {
    if (!right) {
      wrong.add(what);
    }
  }
}
