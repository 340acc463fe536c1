package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Options;
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
import java.util.TreeMap;

/**
 * mlxcel 2198: when rocblas_create_handle fails, the filed code keeps "not available" forever. The
 * fix throws an error that names the status, leaves nothing behind, and the next call tries again;
 * one warning is printed.
 *
 * <p>The driver's first two creations fail with rocblas_status_memory_error. Three f32 GEMMs
 * follow, one after the other: right is two errors that name the status, and then a right output.
 * Every GEMM asks twice, for the route and for the lease, so that one error uses up to two
 * failures.
 */
public final class RocblasCreateFailure extends SourcedScenario {
  private static final String STATUS = "rocblas_status_memory_error";
  private static final int GEMMS = 4;

  public RocblasCreateFailure() {
    super(
        "rocblas.create-failure",
        "mlxcel 2198",
        "rocblas_create_handle fails, and works when it is asked again",
        "As filed rocBLAS stays unavailable for good; fixed, the call throws the status, the next"
            + " one tries again, and there is one warning.");
  }

  @Override
  public Options options(Options options) {
    return options.withFailCall("rocblas_create_handle#1-2:5"); // rocblas_status_memory_error
  }

  @Override
  public Map<String, Integer> stderrLines() {
    return Map.of("warning: rocblas_create_handle", 1);
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("rocblas-handle", Form.FILED), Set.of(Outcome.MISROUTED, Outcome.ERROR)),
        Form.fixed());
  }

  @Override
  public Finding run(Trial trial) {
    Device device = trial.backend().device(0);
    Tally tally = new Tally();
    int named = 0;
    int other = 0;
    int right = 0;
    String first = "";
    try (Stream stream = device.stream()) {
      for (int step = 0; step < GEMMS; step++) {
        try (CheckedGemm gemm = new CheckedGemm(trial, device, RocblasFirstGemm.F32, 0, step)) {
          gemm.enqueue(stream);
          gemm.read(stream);
          gemm.check(tally, 0, step);
          right++;
        } catch (HiplabException e) {
          named += e.getMessage().contains(STATUS) ? 1 : 0;
          other += e.getMessage().contains(STATUS) ? 0 : 1;
          first = first.isEmpty() ? e.getMessage() : first;
        }
      }
    }
    Map<String, Long> counters = new TreeMap<>(trial.backend().counters());
    counters.put("errors.naming-the-status", (long) named);
    counters.put("errors.other", (long) other);
    counters.put("gemms.ended", (long) right);
    Finding finding = tally.finding(counters, Double.NaN);
    if (tally.isRight() && (named != 1 || right != GEMMS - 1)) {
      return finding.as(
          Outcome.ERROR,
          right
              + " of "
              + GEMMS
              + " GEMMs ended, "
              + named
              + " threw "
              + STATUS
              + ", should be 3 and 1; first error: "
              + first);
    }
    return finding;
  }
}
