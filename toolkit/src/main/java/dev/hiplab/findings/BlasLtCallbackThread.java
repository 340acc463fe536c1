package dev.hiplab.findings;

import dev.hiplab.Device;
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
 * mlxcel 2200: why a thread-local workspace is wrong. The host-callback thread runs the async MoE
 * GEMMs of every stream, so that its buffer serves streams that run beside each other, and one
 * stream has two buffers.
 *
 * <p>33 rounds. One thread enqueues a bf16 GEMM of {@link BlasLtSharedWorkspace} on each of two
 * streams, and a host callback of a third stream enqueues four more on each, in turn. Right is: one
 * buffer a stream, and outputs exact.
 */
public final class BlasLtCallbackThread extends ScratchScenario {
  private static final int STREAMS = 2;
  private static final int IN_CALLBACK = 4;

  public BlasLtCallbackThread() {
    super(
        "blaslt.callback-thread",
        "mlxcel 2200",
        "GEMMs that a host callback enqueues on several streams",
        "The encoding thread and the host-callback thread use one stream, and the callback thread"
            + " serves every stream: a buffer for each thread is shared by streams.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.wrong(
            "THREAD_OWNED",
            Map.of("workspace", "THREAD_OWNED"),
            Set.of(Outcome.WRONG_RESULT, Outcome.MISUSE)),
        Form.fixed());
  }

  @Override
  Finding work(Trial trial) {
    Device device = trial.backend().device(0);
    Tally tally = new Tally();
    long begin = System.nanoTime();
    try (Stream caller = device.stream();
        Stream first = device.stream();
        Stream second = device.stream()) {
      for (int round = 0; round < BlasLtSharedWorkspace.ROUNDS; round++) {
        round(trial, caller, List.of(first, second), round, tally);
      }
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    trial.backend().callbackErrors().stream().limit(1).forEach(tally::failed);
    return tally.finding(trial.backend().counters(), millis);
  }

  private static void round(
      Trial trial, Stream caller, List<Stream> streams, int round, Tally tally) {
    GemmCase gemm = BlasLtSharedWorkspace.BF16;
    List<CheckedGemm> all = new ArrayList<>();
    try {
      for (int step = 0; step <= IN_CALLBACK; step++) {
        for (int who = 0; who < STREAMS; who++) {
          int index = round * (IN_CALLBACK + 1) + step;
          CheckedGemm one = new CheckedGemm(trial, caller.device(), gemm, who, index);
          all.add(one);
          if (step == 0) {
            one.enqueue(streams.get(who));
          } else {
            one.enqueueInCallback(caller, streams.get(who));
          }
        }
      }
      caller.synchronize();
      for (int n = 0; n < all.size(); n++) {
        all.get(n).read(streams.get(n % STREAMS));
        all.get(n).check(tally, n % STREAMS, round);
      }
    } finally {
      all.forEach(CheckedGemm::close);
    }
  }
}
