package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.Stream;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2200: init_handle calls hipblasLtCreate without making the device current, so that the
 * handle belongs to whatever device is.
 *
 * <p>One bf16 GEMM of {@link BlasLtSharedWorkspace} on device 1, with device 0 current. No race:
 * the oracle is the device that was current when the handle was created.
 */
public final class BlasLtCreateDevice extends SourcedScenario {
  public BlasLtCreateDevice() {
    super(
        "blaslt.create-device",
        "mlxcel 2200",
        "the first bf16 GEMM on device 1 while device 0 is current",
        "The hipBLASLt handle is created on whatever device is current.");
  }

  @Override
  public String needs() {
    return "two devices (--devices 2)";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("blaslt-handle", Form.FILED), Set.of(Outcome.MISROUTED)), Form.fixed());
  }

  @Override
  public Finding run(Trial trial) {
    int devices = trial.backend().devices().size();
    if (devices < 2) {
      return Finding.notApplicable("there is one device; the finding needs two", Map.of());
    }
    Device device = trial.backend().device(1);
    Tally tally = new Tally();
    // The stream of device 0 comes last: a device that is opened stays current.
    try (Stream stream = device.stream();
        Stream current = trial.backend().device(0).stream();
        CheckedGemm gemm = new CheckedGemm(trial, device, BlasLtSharedWorkspace.BF16, 0, 0)) {
      current.synchronize();
      gemm.enqueue(stream);
      gemm.read(stream);
      gemm.check(tally, 0, 0);
    }
    Map<String, Long> seen = trial.backend().counters();
    Finding finding = tally.finding(seen, Double.NaN);
    long there = seen.getOrDefault("created.hipblaslt.device-1", 0L);
    long elsewhere = seen.getOrDefault("created.hipblaslt.device-0", 0L);
    if (tally.isRight() && (there != 1 || elsewhere != 0)) {
      return finding.as(
          Outcome.MISROUTED,
          "handles created on device 0: " + elsewhere + ", on device 1: " + there);
    }
    return finding;
  }
}
