package dev.hiplab.race;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the forms of a part cost that are all right: the same GEMMs by one thread on one stream, and
 * by eight on eight. Used by {@code bench forms}, not in the catalogue: it has no claim.
 *
 * <p>Counters: {@code enqueue.ns.N}, the median time of the host in one GEMM call with N threads,
 * and {@code gemms.per.s.N}, from the first to the last output read.
 */
public abstract class FormCost extends SourcedScenario {
  private static final String PREFIX = "cost.";
  static final int THREADS = 8;

  private final String part;
  private final List<String> others;
  private final GemmCase gemm;
  private final int rounds;
  private final int ahead;

  private FormCost(String part, List<String> others, GemmCase gemm, int rounds, int ahead) {
    super(PREFIX + part, "hiplab", "cost of the forms of " + part + " that are right", "");
    this.part = part;
    this.others = others;
    this.gemm = gemm;
    this.rounds = rounds;
    this.ahead = ahead;
  }

  /**
   * Workspaces: a lease that waits for the stream, and one handed on by an event, serialize; per
   * call costs an allocation. Long GEMMs that need workspace, 8 at a time.
   */
  public static final class Workspace extends FormCost {
    public Workspace() {
      super(
          "workspace",
          List.of("LEASE_SYNC", "EVENT_HANDOFF", "PER_CALL"),
          new GemmCase(DType.BF16, Gemm.NT, 1, 64, 64, 2048, 1),
          24,
          8);
    }
  }

  /** Pipes: a mutex across matmul serializes the enqueue; per call makes descriptors each time. */
  public static final class PipeCache extends FormCost {
    public PipeCache() {
      super(
          "pipe-cache",
          List.of("MUTEX_HELD", "PER_CALL"),
          new GemmCase(DType.BF16, Gemm.NN, 1, 16, 16, 16, 2),
          128,
          32);
    }
  }

  /** rocBLAS handles: a handle for each thread takes no lease. */
  public static final class RocblasHandle extends FormCost {
    public RocblasHandle() {
      super(
          "rocblas-handle",
          List.of("PER_THREAD"),
          new GemmCase(DType.F32, Gemm.NN, 1, 16, 16, 16, 4),
          128,
          32);
    }
  }

  /** Whether a run is one of these. */
  public static boolean made(RunRecord run) {
    return run.scenario().startsWith(PREFIX);
  }

  /** The parts that are compared. */
  public static List<Class<? extends FormCost>> all() {
    return List.of(Workspace.class, PipeCache.class, RocblasHandle.class);
  }

  @Override
  public final List<Form> forms() {
    List<Form> forms = new ArrayList<>(List.of(Form.fixed()));
    others.forEach(name -> forms.add(Form.right(name, Map.of(part, name))));
    return forms;
  }

  @Override
  public final Finding run(Trial trial) throws InterruptedException {
    measure(trial, 1, new TreeMap<>()); // handles, pipes, workspaces
    Map<String, Long> counters = new TreeMap<>();
    Tally tally = measure(trial, 1, counters);
    tally.add(measure(trial, THREADS, counters));
    return tally.finding(counters, Double.NaN);
  }

  private Tally measure(Trial trial, int threads, Map<String, Long> counters)
      throws InterruptedException {
    int each = rounds * THREADS / threads;
    ManyThreads work = new ManyThreads(trial, threads, each, List.of(gemm)).ahead(ahead);
    Tally tally = work.run();
    long all = (long) each * threads;
    counters.put("enqueue.ns." + threads, work.medianEnqueueNanos());
    counters.put("gemms.per.s." + threads, Math.round(all * 1000 / work.workMillis()));
    return tally;
  }
}
