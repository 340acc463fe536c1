package dev.hiplab.race;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Gemm;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Inputs;
import dev.hiplab.scenario.Sums;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.Map;

/** One small f32 GEMM, checked: what a fresh process costs at least. Used by the benchmark. */
public final class OneGemm extends HiddenScenario {
  private static final GemmCase SMALL = new GemmCase(DType.F32, Gemm.NN, 1, 16, 16, 16, 4);

  @Override
  public String id() {
    return "bench.one-gemm";
  }

  @Override
  public String title() {
    return "one small f32 GEMM";
  }

  @Override
  public Finding run(Trial trial) {
    Device device = trial.backend().device(0);
    float[] a = Inputs.integers(16 * 16, SMALL.range(), trial.seed());
    float[] b = Inputs.integers(16 * 16, SMALL.range(), trial.seed() + 1);
    Tally tally = new Tally();
    try (Stream stream = device.stream();
        Matrix deviceA = device.matrix(DType.F32, 16, 16, a);
        Matrix deviceB = device.matrix(DType.F32, 16, 16, b);
        Matrix c = stream.matmul(deviceA, deviceB)) {
      tally.check(0, 0, SMALL, a, b, c.floats(), Sums.IEEE);
    }
    return tally.finding(Map.of(), Double.NaN);
  }
}
