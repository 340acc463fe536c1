package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2200, edge case: a stream is destroyed and a new one gets its handle value; it must not
 * inherit a buffer that its predecessor is still draining.
 *
 * <p>Eight threads, 33 rounds: each makes a stream, enqueues the bf16 GEMM of {@link
 * BlasLtSharedWorkspace} on it, closes the stream and reads the output on another one. Handle
 * values go from thread to thread. As filed there is one buffer for all of them.
 */
public final class BlasLtStreamHandleReuse extends ScratchScenario {
  public BlasLtStreamHandleReuse() {
    super(
        "blaslt.stream-handle-reuse",
        "mlxcel 2200",
        "streams that come and go, with a GEMM each that needs workspace",
        "A new stream that reuses a destroyed stream's handle value must not inherit a buffer that"
            + " is still being drained.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("workspace", Form.FILED), Set.of(Outcome.WRONG_RESULT, Outcome.MISUSE)),
        Form.fixed());
  }

  @Override
  Finding work(Trial trial) throws InterruptedException {
    Device device = trial.backend().device(0);
    Actors actors = new Actors();
    List<Tally> tallies = new ArrayList<>();
    List<String> names = trial.names(BlasLtSharedWorkspace.THREADS);
    for (int who = 0; who < names.size(); who++) {
      int index = who;
      Tally own = new Tally();
      List<CheckedGemm> gemms = new ArrayList<>();
      tallies.add(own);
      actors.add(
          names.get(who),
          () -> {
            for (int round = 0; round < BlasLtSharedWorkspace.ROUNDS; round++) {
              gemms.add(new CheckedGemm(trial, device, BlasLtSharedWorkspace.BF16, index, round));
            }
          },
          () -> {
            for (CheckedGemm gemm : gemms) {
              try (Stream stream = device.stream()) {
                gemm.enqueue(stream);
              }
            }
          },
          () -> check(device, gemms, index, own));
    }
    actors.run();
    Tally tally = new Tally();
    tallies.forEach(tally::add);
    tally.failed(actors.firstError());
    return tally.finding(trial.backend().counters(), actors.workMillis());
  }

  private static void check(Device device, List<CheckedGemm> gemms, int who, Tally tally) {
    try (Stream stream = device.stream()) {
      for (int round = 0; round < gemms.size(); round++) {
        try (CheckedGemm gemm = gemms.get(round)) {
          gemm.read(stream);
          gemm.check(tally, who, round);
        }
      }
    }
  }
}
