package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.DisposableStream;
import dev.hiplab.HostGate;
import dev.hiplab.Schedule;
import dev.hiplab.Stream;
import dev.hiplab.TrackerState;
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
 * MIOpen 12265: tickets keep a callback that arrives late from retiring a later reuse of the same
 * stream. FILED is the tracker without them (NO_TICKETS).
 *
 * <p>A first evaluation has ended when it is abandoned, but its callback comes late; its done event
 * returns the stream to the pool, a second evaluation takes it, starts work and is abandoned. Now
 * the late callback comes. The second one's work is still running, so that its stream must be
 * draining and the next evaluation must not get it: a tracker that knows of nothing draining is the
 * finding (MISROUTED).
 *
 * <p>Naturally a blocked host function elsewhere in the process makes the callback late, as the
 * source says it does; forced, it is held where it begins. Either way a third evaluation is
 * abandoned before the second: one worker takes the tickets in the order of the callbacks, so that
 * once the third's is dealt with the late one has been too, and what drains is the second's. None
 * pins scratch: its free waits for the whole device, and would keep the worker until the second's
 * work has ended.
 */
public final class ReclaimLateTicket extends SourcedScenario {
  private static final int BOUND_SECONDS = 10;
  private static final int AMBIGUOUS_SECONDS = 2;
  private static final int MOMENT_MILLIS = 10;

  public ReclaimLateTicket() {
    super(
        "reclaim.late-ticket",
        "MIOpen 12265",
        "a callback that comes after its stream has been reused and abandoned again",
        "A late callback retires a later use of its stream, whose work is still running.");
  }

  @Override
  public String needs() {
    return "a backlog cap of at least 2: GPU_MAX_HW_QUEUES unset, or at least 4";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("stream-tracker", "NO_TICKETS"), Set.of(Outcome.MISROUTED)),
        Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.forced(
            "order A:second.abandoned -> callbacks:tracker.callback",
            "order stream-tracker:tracker.worker.looked#2 arrived -> A:look"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    if (Backlog.cap() < 2) {
      return Finding.notApplicable(
          "the backlog cap is "
              + Backlog.cap()
              + " (GPU_MAX_HW_QUEUES="
              + Backlog.hardwareQueues()
              + "), so that no evaluation can begin while another is abandoned",
          Map.of());
    }
    Work work = new Work(trial);
    Actors actors = new Actors().add("A", work::run);
    actors.run();
    work.counters.putAll(trial.backend().counters());
    String error = actors.firstError();
    Outcome outcome = error.isEmpty() ? work.outcome : Outcome.ERROR;
    String detail = error.isEmpty() ? work.detail : error;
    return new Finding(outcome, detail, work.counters, actors.workMillis());
  }

  private static final class Work {
    private final Trial trial;
    private final Device device;
    private final Map<String, Long> counters = new TreeMap<>();
    private Outcome outcome = Outcome.EXACT;
    private String detail = "";

    Work(Trial trial) {
      this.trial = trial;
      this.device = trial.backend().device(0);
    }

    void run() throws InterruptedException {
      try (Stream elsewhere = device.stream();
          HostGate late = device.backend().hostGate()) {
        if (!trial.forced()) {
          elsewhere.waitAt(late);
          Patience.until(late::reached);
        }
        DisposableStream first = device.acquireStream();
        DisposableStream third = device.acquireStream();
        Backlog.warm(first);
        Backlog.warm(third);
        first.abandon(null); // its work has ended
        DisposableStream second = Backlog.reacquired(device);
        third.abandon(null);
        Thread.sleep(MOMENT_MILLIS); // its callback is the next one then
        try (Overrun running = Overrun.abandon(second, null)) {
          Schedule.pass("second.abandoned");
          late.open();
          Schedule.pass("look");
          look(running);
        }
      }
      boolean drained = Patience.until(() -> Backlog.isDrained(device));
      if (outcome == Outcome.EXACT && !drained) {
        outcome = Outcome.LEAK;
        detail = "with all work ended the tracker has " + device.trackerState();
      }
    }

    private void look(Overrun running) throws InterruptedException {
      // The third's is the only abandonment that may end now.
      Patience.until(BOUND_SECONDS, () -> device.trackerState().draining() <= 1);
      try (DisposableStream next = device.acquireStream()) {
        boolean busy = !next.idle();
        if (busy) {
          // The third's, with its callback still to come, or the second's: then nothing drains.
          Patience.until(AMBIGUOUS_SECONDS, this::nothingDrains);
        }
        TrackerState state = device.trackerState();
        counters.put("draining.while-running", state.draining());
        counters.put("given-out.is-busy", busy ? 1L : 0L);
        if (!running.ended() && state.draining() == 0) {
          outcome = Outcome.MISROUTED;
          detail =
              "the second evaluation's work runs, and its stream is "
                  + (busy ? "given out to the next one" : "ready for the next one")
                  + ": "
                  + state;
        }
        running.end(); // before the close of a stream that may be busy
      }
    }

    private boolean nothingDrains() {
      device.acquireStream().release(); // which looks at those that drain
      return device.trackerState().draining() == 0;
    }
  }
}
