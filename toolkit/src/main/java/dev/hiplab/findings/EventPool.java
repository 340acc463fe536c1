package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Event;
import dev.hiplab.Kernel;
import dev.hiplab.Matrix;
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
import java.util.TreeMap;

/**
 * mlxcel 2196: the event pool is an unlocked process-global; eight threads that evaluate on streams
 * of their own failed 20 of 20 runs (hipEventRecord: invalid resource handle, SIGABRT, SIGSEGV).
 *
 * <p>The source ran the tests of mlxcel 2183 on it, 16 rounds of eight threads whose evaluations
 * take events and give them back. Here each of eight threads has two streams, and 256 times (16
 * rounds of 16) takes two events: one stream writes the step's number into 256 floats, the other
 * waits for that on the device and counts the elements that hold another number, and the next write
 * waits for it. No element may be stale, no call may fail, and the pool may have made no more
 * events than were in use at once.
 */
public final class EventPool extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int ROUNDS = 16;
  private static final int STEPS = 16;
  private static final int N = ProbeKernel.N;
  private static final String WRITE =
      "extern \"C\" __global__ void write(float* x, float step) { x[threadIdx.x] = step; }";
  private static final String CHECK =
      "extern \"C\" __global__ void check(float* x, float* stale, float step) {\n"
          + "  if (x[threadIdx.x] != step) stale[threadIdx.x] += 1.0f;\n"
          + "}";

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
        Kernel write = Kernel.of(WRITE, "write");
        Kernel check = Kernel.of(CHECK, "check")) {
      String lacking = warm.lacking(trial);
      if (!lacking.isEmpty()) {
        return Finding.notApplicable(lacking, Map.of());
      }
      return run(trial, write, check);
    }
  }

  private static Finding run(Trial trial, Kernel write, Kernel check) throws InterruptedException {
    Device device = trial.backend().device(0);
    List<User> users = new ArrayList<>();
    Actors actors = new Actors();
    try {
      // Compiles both, and leaves the pool its first two events.
      User first = new User(device, write, check);
      users.add(first);
      first.step(1);
      for (String name : trial.names(THREADS)) {
        User user = new User(device, write, check);
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
      for (User user : actors.firstError().isEmpty() ? users : List.<User>of()) {
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
      users.forEach(User::close);
    }
  }

  /** Two streams of one thread, ordered by events alone. */
  private static final class User implements AutoCloseable {
    private final Kernel write;
    private final Kernel check;
    private final Device device;
    private final Stream writing;
    private final Stream checking;
    private final Matrix x;
    private final Matrix stale;

    User(Device device, Kernel write, Kernel check) {
      this.device = device;
      this.write = write;
      this.check = check;
      writing = device.stream();
      checking = device.stream();
      x = device.matrix(DType.F32, 1, N, new float[N]);
      stale = device.matrix(DType.F32, 1, N, new float[N]);
    }

    /** The check waits for the write, the next write for the check. */
    void step(int step) {
      try (Event written = device.event();
          Event checked = device.event()) {
        writing.launch(write, 1, N, x, (float) step);
        writing.record(written);
        checking.await(written);
        checking.launch(check, 1, N, x, stale, (float) step);
        checking.record(checked);
        writing.await(checked);
      }
    }

    long stale() {
      long sum = 0;
      for (float count : stale.floats()) {
        sum += (long) count;
      }
      return sum;
    }

    @Override
    public void close() {
      writing.close();
      checking.close();
      x.close();
      stale.close();
    }
  }
}
