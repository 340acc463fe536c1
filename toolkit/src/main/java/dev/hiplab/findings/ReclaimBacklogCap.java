package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.DisposableStream;
import dev.hiplab.HostGate;
import dev.hiplab.Schedule;
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
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/**
 * MIOpen 12265: the backlog of abandoned streams is capped at GPU_MAX_HW_QUEUES minus 2, at least
 * 1; an unset, non-positive or unparseable value counts as HIP's default of 4. A cap of 1 does not
 * hang.
 *
 * <p>The table of values first (the review found that negative values wrapped), then what this
 * process's own value does: as many evaluations as the cap says are abandoned still running, the
 * next acquire() (B) must wait until A has let one end, and then go on. Run it with
 * GPU_MAX_HW_QUEUES=3 for a cap of 1. B returns before that only if the cap is not kept; naturally
 * A gives it {@link #PAUSE_MILLIS} ms for that, forced it lets go when B has come to wait.
 */
public final class ReclaimBacklogCap extends SourcedScenario {
  private static final int PAUSE_MILLIS = 50;
  private static final List<Case> TABLE =
      List.of(
          new Case(null, 2),
          new Case("", 2),
          new Case("four", 2),
          new Case("4 queues", 2),
          new Case("4.5", 2),
          new Case("99999999999", 2),
          new Case("0", 2),
          new Case("-1", 2),
          new Case("-2000000", 2),
          new Case("1", 1),
          new Case("2", 1),
          new Case("3", 1),
          new Case("4", 2),
          new Case("5", 3),
          new Case("8", 6),
          new Case("32", 30));

  private record Case(String value, int cap) {}

  public ReclaimBacklogCap() {
    super(
        "reclaim.backlog-cap",
        "MIOpen 12265",
        "how many abandoned evaluations may still run",
        "The cap is GPU_MAX_HW_QUEUES - 2, at least 1, and 2 for a value that is no such number;"
            + " an evaluation at the cap waits and does not hang.");
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.forced("order B:tracker.acquire.wait arrived -> A:let-go"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Map<String, Long> counters = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    for (Case one : TABLE) {
      int cap = DisposableStream.backlogCap(one.value);
      counters.put("cap." + (one.value == null ? "unset" : "'" + one.value + "'"), (long) cap);
      if (cap != one.cap) {
        wrong.add("'" + one.value + "' gives " + cap + ", should be " + one.cap);
      }
    }
    int cap = Backlog.cap();
    counters.put("cap", (long) cap);
    Device device = trial.backend().device(0);
    boolean[] let = new boolean[2]; // written by A; what B saw of it
    double millis;
    try (HostGate gate = device.backend().hostGate()) {
      Backlog.fillRunning(device, gate);
      counters.put("draining.at-cap", device.trackerState().draining());
      CountDownLatch asking = new CountDownLatch(1);
      Object lock = new Object();
      Actors actors = new Actors();
      actors.add(
          "A",
          () -> {
            asking.await();
            if (!trial.forced()) {
              Thread.sleep(PAUSE_MILLIS);
            }
            Schedule.pass("let-go");
            synchronized (lock) {
              let[0] = true;
            }
            gate.open();
          });
      actors.add(
          "B",
          () -> {
            asking.countDown();
            DisposableStream next = device.acquireStream();
            synchronized (lock) {
              let[1] = let[0];
            }
            next.release();
          });
      actors.run();
      millis = actors.workMillis();
      if (!actors.firstError().isEmpty()) {
        wrong.add(actors.firstError());
      }
    }
    if (!let[1]) {
      wrong.add("acquire() did not wait with " + cap + " abandoned evaluations running");
    }
    counters.putAll(trial.backend().counters());
    Outcome outcome = wrong.isEmpty() ? Outcome.EXACT : Outcome.WRONG_RESULT;
    return new Finding(outcome, String.join("; ", wrong), counters, millis);
  }
}
