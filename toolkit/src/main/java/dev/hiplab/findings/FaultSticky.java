package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.HostGate;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * mlxcel 1804: after a queue fault on gfx1151 every HIP call on every thread returns 700 for the
 * rest of the process, no queued host callback ever runs, and exit can hang while callbacks are
 * pending. The backend's waits must end all the same.
 *
 * <p>A graph fills a matrix that has been closed, which faults the device. Threads wait already:
 * for a stream and an event behind a host function, for the next evaluation at the backlog's cap,
 * and for the device in a free. Each wait must end, those that report with 700; then each call of
 * {@link FaultyDevice#calls} must fail with 700, and a host function that was queued must never
 * run. The objects are closed and the process exits, which its parent waits for: one that does not
 * is HANG.
 *
 * <p>Needs no race: natural runs do it every time.
 */
public final class FaultSticky extends SourcedScenario {
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int MOMENT_MILLIS = 20;

  public FaultSticky() {
    super(
        "fault.sticky",
        "mlxcel 1804",
        "waits and calls after a queue fault",
        "After a queue fault every call fails with 700 and no callback runs; every wait ends, and"
            + " exit does not hang.");
  }

  @Override
  public String needs() {
    return "a device that a fill of freed memory faults, such as the software device";
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    Map<String, Long> counters = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    FaultyDevice all = new FaultyDevice(device);
    HostGate blocked = device.backend().hostGate();
    HostGate never = device.backend().hostGate();
    all.held.waitAt(blocked);
    all.held.record(all.event);
    Patience.until(blocked::reached);
    all.other.waitAt(never); // its callback comes after the one that is running
    Backlog.fillRunning(device, never); // behind the blocked one
    Map<String, Runnable> waits = new LinkedHashMap<>();
    waits.put("stream", all.held::synchronize);
    waits.put("event", all.event::synchronize);
    waits.put("acquire", () -> device.acquireStream());
    waits.put("free", all.a::close);
    List<WaitingCall> waiting = new ArrayList<>();
    waits.forEach((name, wait) -> waiting.add(new WaitingCall(name, wait)));
    waiting.forEach(Thread::start);
    Thread.sleep(MOMENT_MILLIS); // so that they wait when the fault comes

    // The fault may come before its own launch has returned, which then fails as well.
    WaitingCall fault =
        new WaitingCall(
            "fault",
            () -> {
              all.graph.launchUnchecked(all.filling);
              all.filling.synchronize();
            });
    fault.start();
    if (fault.awaitEnd() && fault.error().isEmpty()) {
      blocked.close();
      never.close();
      return Finding.notApplicable("a fill of freed memory did not fault the device", counters);
    }
    waiting.add(fault);
    boolean hung = false;
    for (WaitingCall wait : waiting) {
      boolean ended = wait.awaitEnd();
      hung |= !ended;
      counters.put("wait." + wait.getName() + ".status", (long) wait.status());
      boolean told = wait.status() == ILLEGAL_ADDRESS || wait.getName().equals("free");
      require(wrong, ended, "the wait of " + wait.getName() + " did not end");
      require(wrong, !ended || told, wait.getName() + " ended with " + wait.error());
    }
    all.calls()
        .forEach(
            (name, call) -> {
              WaitingCall caller = new WaitingCall(name, call);
              caller.run();
              counters.put("call." + name + ".status", (long) caller.status());
              boolean told = caller.status() == ILLEGAL_ADDRESS;
              require(wrong, told, name + " gave '" + caller.error() + "', should be 700");
            });
    blocked.open(); // the host function that was running returns; none is to run after it
    Thread.sleep(MOMENT_MILLIS);
    require(wrong, !never.reached(), "a host callback ran after the fault");
    counters.put("callbacks.after-fault", never.reached() ? 1L : 0L);
    blocked.close();
    never.close();
    counters.putAll(trial.backend().counters());
    Outcome outcome = hung ? Outcome.HANG : wrong.isEmpty() ? Outcome.EXACT : Outcome.WRONG_RESULT;
    return new Finding(outcome, String.join("; ", wrong), counters, Double.NaN);
  }

  private static void require(List<String> wrong, boolean right, String what) {
    if (!right) {
      wrong.add(what);
    }
  }
}
