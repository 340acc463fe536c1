package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.Schedule;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2200: when the recorded size is below a request, ensure_workspace frees the buffer that
 * another thread's GEMM is using and allocates a larger one.
 *
 * <p>The handle's own 32 MiB are not there, as after the failure that the source names, so the
 * shared buffer grows with the requests. Every second thread repeats the bf16 GEMM of {@link
 * BlasLtSharedWorkspace}, the others run ever larger ones. hipFree waits for what is queued, so the
 * window is between being given the buffer and the call: forced, A stands there while B grows it.
 */
public final class BlasLtWorkspaceGrowth extends ScratchScenario {
  private static final int ROUNDS = 33;
  private static final int STEP = 32;

  public BlasLtWorkspaceGrowth() {
    super(
        "blaslt.workspace-growth",
        "mlxcel 2200",
        "a shared workspace that grows while other threads use it",
        "Growth frees the buffer that another stream's GEMM has been given.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("workspace", Form.FILED),
            Set.of(Outcome.MISUSE, Outcome.WRONG_RESULT, Outcome.CRASH)),
        Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        Interleaving.delayed("delay workspace.acquired 1ms"),
        Interleaving.forced(
            "order A:workspace.acquired arrived -> B:work.begin",
            "order B:work.end -> A:workspace.acquired"));
  }

  @Override
  Finding work(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    Tally tally = new Tally();
    try (Stream stream = device.stream();
        CheckedGemm small = new CheckedGemm(trial, device, BlasLtSharedWorkspace.BF16, 99, 0)) {
      // The buffer is there, and small, when the threads begin.
      small.enqueue(stream);
      small.read(stream);
      small.check(tally, 99, 0);
    }
    Actors actors = new Actors();
    List<Tally> tallies = new ArrayList<>();
    List<String> names = trial.names(BlasLtSharedWorkspace.THREADS);
    for (int who = 0; who < names.size(); who++) {
      Tally own = new Tally();
      tallies.add(own);
      int index = who;
      actors.add(names.get(who), () -> rounds(trial, device, index, own));
    }
    actors.run();
    tallies.forEach(tally::add);
    tally.failed(actors.firstError());
    return tally.finding(trial.backend().counters(), actors.workMillis());
  }

  private static void rounds(Trial trial, Device device, int index, Tally tally) {
    try (Stream stream = device.stream()) {
      for (int round = 0; round < (trial.forced() ? 1 : ROUNDS); round++) {
        GemmCase gemm = index % 2 == 0 ? BlasLtSharedWorkspace.BF16 : larger(round + 1);
        try (CheckedGemm one = new CheckedGemm(trial, device, gemm, index, round)) {
          one.enqueue(stream);
          Schedule.pass("work.enqueued");
          one.read(stream);
          one.check(tally, index, round);
        }
      }
    }
  }

  private static GemmCase larger(int step) {
    GemmCase small = BlasLtSharedWorkspace.BF16;
    int n = small.n() + STEP * step;
    return new GemmCase(small.type(), small.spec(), 1, small.m(), n, small.k(), small.range());
  }
}
