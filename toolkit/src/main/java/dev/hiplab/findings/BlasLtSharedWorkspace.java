package dev.hiplab.findings;

import dev.hiplab.Candidate;
import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * mlxcel 2200, worst failure: every hipblasLtMatmul on a device gets the same 32 MiB buffer. The
 * call only enqueues, so two GEMMs on two streams whose algorithms ask for workspace run at the
 * same time over the same scratch memory, and both outputs are wrong.
 *
 * <p>Eight threads with a stream each, 33 rounds of a bf16 [64, 64] x transpose([64, 64]), integers
 * in -2..2. It needs a device whose heuristic asks for workspace; gfx1151 never does (mlxcel 2200
 * measured all 8 candidates of 15 shapes), so there the finding is not applicable.
 */
public final class BlasLtSharedWorkspace extends SourcedScenario {
  static final int THREADS = 8;
  static final int ROUNDS = 33;
  static final GemmCase BF16 = new GemmCase(DType.BF16, Gemm.NT, 1, 64, 64, 64, 2);

  private static final int CANDIDATES = 8;
  private static final long CAP_BYTES = 32L << 20;

  public BlasLtSharedWorkspace() {
    super(
        "blaslt.shared-workspace",
        "mlxcel 2200",
        "one hipBLASLt workspace under the streams of many threads",
        "GEMMs on different streams that need scratch memory corrupt each other when they share"
            + " the buffer.");
  }

  @Override
  public String needs() {
    return "a device whose hipBLASLt heuristic asks for workspace";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("workspace", Form.FILED), Set.of(Outcome.WRONG_RESULT)), Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    List<Candidate> offered = offered(trial);
    TreeMap<String, Long> counters = new TreeMap<>();
    counters.put("heuristic.candidates", (long) offered.size());
    counters.put("heuristic.workspace.first", offered.isEmpty() ? 0 : bytes(offered, 0));
    if (offered.isEmpty() || bytes(offered, 0) == 0) {
      return Finding.notApplicable(lacking(trial, offered), counters);
    }
    ManyThreads threads = new ManyThreads(trial, THREADS, ROUNDS, List.of(BF16));
    Tally tally = threads.run();
    counters.putAll(trial.backend().counters());
    return tally.finding(counters, threads.workMillis());
  }

  /** What the heuristic offers under the cap that every form has; the first one is used. */
  private static List<Candidate> offered(Trial trial) {
    try (Stream stream = trial.backend().device(0).stream()) {
      return stream.heuristics(
          BF16.spec(),
          BF16.type(),
          BF16.batch(),
          BF16.m(),
          BF16.n(),
          BF16.k(),
          CANDIDATES,
          CAP_BYTES);
    }
  }

  private static String lacking(Trial trial, List<Candidate> offered) {
    String device = trial.backend().device(0).info().getOrDefault("arch", "this device");
    StringBuilder seen = new StringBuilder();
    boolean any = false;
    for (int i = 0; i < offered.size(); i++) {
      any |= bytes(offered, i) > 0;
      seen.append(i == 0 ? "" : ", ").append(bytes(offered, i));
    }
    String who = any ? "the first of " : "none of ";
    return who
        + offered.size()
        + " candidates for "
        + BF16.text()
        + " asks for "
        + (any ? "no workspace" : "workspace")
        + " on "
        + device
        + " (bytes: "
        + seen
        + ")";
  }

  private static long bytes(List<Candidate> offered, int index) {
    return offered.get(index).workspaceBytes();
  }
}
