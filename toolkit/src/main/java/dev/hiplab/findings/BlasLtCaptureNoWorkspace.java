package dev.hiplab.findings;

import dev.hiplab.CaptureMode;
import dev.hiplab.Device;
import dev.hiplab.Graph;
import dev.hiplab.HiplabException;
import dev.hiplab.Stream;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * mlxcel 2200: a GEMM that needs workspace on a capturing stream that has none. Fixed, it throws
 * naming the byte count rather than call hipMalloc; its caller takes rocBLAS, says so on stderr,
 * and the capture goes on. As filed it calls hipMalloc, which kills the capture.
 *
 * <p>One thread: a GEMM of {@link BlasLtSharedWorkspace} on one stream, so that the libraries are
 * there; then the same GEMM captured on a fresh stream in Global mode, and the graph launched.
 * Right is a capture that ends well and a graph whose output is exact.
 */
public final class BlasLtCaptureNoWorkspace extends ScratchScenario {
  public BlasLtCaptureNoWorkspace() {
    super(
        "blaslt.capture-no-workspace",
        "mlxcel 2200",
        "a captured GEMM needs workspace on a stream that has none",
        "FIXED throws naming the byte count and the capture survives; FILED calls hipMalloc, which"
            + " kills the capture.");
  }

  @Override
  public Map<String, Integer> stderrLines() {
    return Map.of("bytes of workspace on a capturing stream with none allocated", 1);
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(Map.of("workspace", Form.FILED), Set.of(Outcome.ERROR)), Form.fixed());
  }

  @Override
  Finding work(Trial trial) {
    GemmCase gemm = BlasLtSharedWorkspace.BF16;
    Device device = trial.backend().device(0);
    Tally tally = new Tally();
    try (Stream stream = device.stream();
        CheckedGemm small = new CheckedGemm(trial, device, SMALLER, 0, 0);
        CheckedGemm captured = new CheckedGemm(trial, device, gemm, 0, 1)) {
      try (Stream warm = device.stream()) {
        small.enqueue(warm);
        small.read(warm);
        small.check(tally, 0, 0);
      }
      stream.beginCapture(CaptureMode.GLOBAL);
      String refused = enqueue(captured, stream);
      try (Graph graph = stream.endCapture()) {
        graph.launch(stream);
        captured.read(stream);
        captured.check(tally, 0, 1);
      } catch (HiplabException e) {
        tally.failed(refused.isEmpty() ? e.getMessage() : refused + "; then " + e.getMessage());
      }
    }
    return tally.finding(trial.backend().counters(), Double.NaN);
  }

  // Its scratch is smaller, so that the filed form's shared buffer has to grow in the capture.
  private static final GemmCase SMALLER =
      new GemmCase(
          BlasLtSharedWorkspace.BF16.type(), BlasLtSharedWorkspace.BF16.spec(), 1, 32, 32, 64, 2);

  private static String enqueue(CheckedGemm gemm, Stream stream) {
    try {
      gemm.enqueue(stream);
      return "";
    } catch (HiplabException e) {
      return e.getMessage();
    }
  }
}
