package dev.hiplab.findings;

import dev.hiplab.CaptureMode;
import dev.hiplab.Device;
import dev.hiplab.Graph;
import dev.hiplab.Stream;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The class of pytorch 193402: two captured graphs that hold one workspace corrupt each other when
 * they are replayed at once. On an H200, 49 of 50 replays were wrong so, and none of 50 with a
 * workspace each.
 *
 * <p>Two streams capture eight bf16 GEMMs of {@link BlasLtSharedWorkspace} each, on operands of
 * their own; then 33 rounds launch both graphs at once and compare every output. One thread: what
 * runs beside each other are the graphs.
 */
public final class BlasLtGraphsShareWorkspace extends ScratchScenario {
  private static final int GRAPHS = 2;
  private static final int GEMMS = 8;

  public BlasLtGraphsShareWorkspace() {
    super(
        "blaslt.graphs-share-workspace",
        "pytorch 193402",
        "two graphs with GEMMs that need workspace, replayed at once",
        "Two captured graphs that hold one workspace corrupt each other when they are replayed at"
            + " once.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("workspace", Form.FILED), Set.of(Outcome.WRONG_RESULT, Outcome.MISUSE)),
        Form.fixed());
  }

  @Override
  Finding work(Trial trial) {
    GemmCase gemm = BlasLtSharedWorkspace.BF16;
    Device device = trial.backend().device(0);
    Tally tally = new Tally();
    List<Captured> captured = new ArrayList<>();
    long begin = 0;
    try {
      for (int who = 0; who < GRAPHS; who++) {
        captured.add(new Captured(trial, device, gemm, who));
      }
      begin = System.nanoTime();
      for (int round = 0; round < BlasLtSharedWorkspace.ROUNDS; round++) {
        captured.forEach(Captured::launch);
        for (Captured one : captured) {
          one.check(tally, round);
        }
      }
    } finally {
      captured.forEach(Captured::close);
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    return tally.finding(trial.backend().counters(), millis);
  }

  /** A stream, its GEMMs, and the graph that they were captured into. */
  private static final class Captured implements AutoCloseable {
    private final int who;
    private final Stream stream;
    private final List<CheckedGemm> gemms = new ArrayList<>();
    private final Graph graph;

    Captured(Trial trial, Device device, GemmCase gemm, int who) {
      this.who = who;
      this.stream = device.stream();
      for (int step = 0; step < GEMMS; step++) {
        gemms.add(new CheckedGemm(trial, device, gemm, who, step));
      }
      // The stream's own workspace, and the libraries, are there before the capture begins.
      gemms.get(0).enqueue(stream);
      stream.synchronize();
      stream.beginCapture(CaptureMode.GLOBAL);
      gemms.forEach(one -> one.enqueue(stream));
      graph = stream.endCapture();
    }

    void launch() {
      graph.launch(stream);
    }

    void check(Tally tally, int round) {
      for (CheckedGemm one : gemms) {
        one.read(stream);
        one.check(tally, who, round);
      }
    }

    @Override
    public void close() {
      graph.close();
      gemms.forEach(CheckedGemm::close);
      stream.close();
    }
  }
}
