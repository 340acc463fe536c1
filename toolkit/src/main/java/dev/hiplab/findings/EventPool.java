package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.Kernel;
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
import java.util.TreeMap;

/**
 * mlxcel 2196: the event pool is an unlocked process-global; eight threads that evaluate on streams
 * of their own failed 20 of 20 runs (hipEventRecord: invalid resource handle, SIGABRT, SIGSEGV).
 *
 * <p>The source ran the tests of mlxcel 2183 on it, 16 rounds of eight threads whose evaluations
 * take events and give them back. Here each of eight threads has two streams, and 1024 times (16
 * rounds of 64) takes two events: one stream writes the step's number into 256 floats, the other
 * waits for that on the device and counts the elements that hold another number, and the next write
 * waits for it. No element may be stale, no call may fail, and the pool may have made no more
 * events than were in use at once.
 */
public final class EventPool extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int ROUNDS = 16;
  private static final int STEPS = 64;

  public EventPool() {
    super(
        "event.pool",
        "mlxcel 2196",
        "events taken from one pool and given back by many threads",
        "The pool is not locked: hipEventRecord fails with an invalid resource handle, or the"
            + " process aborts or crashes.");
  }

  @Override
  public String needs() {
    return "a compiler for kernels";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("event-pool", Form.FILED),
            Set.of(Outcome.ERROR, Outcome.CRASH, Outcome.WRONG_RESULT)),
        Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        // A has read an event and not removed it when B takes one: B gets what A has moved away.
        Interleaving.forced(
            "order A:eventpool.take.read arrived -> B:work.begin",
            "order B:work.end -> A:eventpool.take.read"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    try (ProbeKernel warm = new ProbeKernel("warm");
        Kernel write = Kernel.of(EventUser.WRITE, "write");
        Kernel check = Kernel.of(EventUser.CHECK, "check")) {
      String lacking = warm.lacking(trial);
      if (!lacking.isEmpty()) {
        return Finding.notApplicable(lacking, Map.of());
      }
      return run(trial, write, check);
    }
  }

  private static Finding run(Trial trial, Kernel write, Kernel check) throws InterruptedException {
    Device device = trial.backend().device(0);
    List<EventUser> users = new ArrayList<>();
    Actors actors = new Actors();
    try {
      // Compiles both, and leaves the pool its first two events.
      EventUser first = new EventUser(device, write, check);
      users.add(first);
      first.step(1);
      for (String name : trial.names(THREADS)) {
        EventUser user = new EventUser(device, write, check);
        users.add(user);
        int steps = trial.forced() ? 1 : ROUNDS * STEPS;
        actors.add(
            name,
            () -> {
              for (int step = 1; step <= steps; step++) {
                user.step(step);
              }
            });
      }
      actors.run();
      long stale = 0;
      for (EventUser user : actors.firstError().isEmpty() ? users : List.<EventUser>of()) {
        stale += user.stale();
      }
      TreeMap<String, Long> seen = new TreeMap<>(trial.backend().counters());
      seen.put("elements.stale", stale);
      long most = 2L * users.size();
      long made = seen.getOrDefault("handles.events", 0L);
      if (!actors.firstError().isEmpty()) {
        return new Finding(Outcome.ERROR, actors.firstError(), seen, actors.workMillis());
      }
      if (stale > 0) {
        String detail = stale + " elements were read before their write had ended";
        return new Finding(Outcome.WRONG_RESULT, detail, seen, actors.workMillis());
      }
      return made <= most
          ? new Finding(Outcome.EXACT, "", seen, actors.workMillis())
          : new Finding(
              Outcome.LEAK,
              made + " events were made for " + users.size() + " users of 2 each",
              seen,
              actors.workMillis());
    } finally {
      users.forEach(EventUser::close);
    }
  }
}
