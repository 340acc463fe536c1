package dev.hiplab.findings;

import dev.hiplab.Backend;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Kernel;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Trial;
import java.util.Map;

/**
 * The probe of mlxcel 2183 and 2197: {@code out[i] = inp[i] * 2 + 1} on f32 arange(256), one block
 * of 256 threads. Each variant is a kernel of its own: another name, so another key of the module
 * cache. Thread-safe.
 */
final class ProbeKernel implements AutoCloseable {
  static final int N = 256;

  private final Kernel kernel;

  /** Compiles nothing yet. */
  ProbeKernel(String variant) {
    String name = "probe_" + variant;
    kernel = Kernel.of(source(name), name);
  }

  static String source(String name) {
    return "extern \"C\" __global__ void "
        + name
        + "(const float* inp, float* out, int n) {\n"
        + "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        + "  if (i < n) out[i] = inp[i] * 2.0f + 1.0f;\n"
        + "}\n";
  }

  /**
   * Uploads arange(256), launches, waits for that stream and looks at each element; what nothing
   * wrote is NaN.
   *
   * @return what was wrong first; empty when all 256 are exact
   */
  String evaluate(Stream stream) {
    Device device = stream.device();
    float[] values = new float[N];
    for (int i = 0; i < N; i++) {
      values[i] = i;
    }
    try (Matrix inp = device.matrix(DType.F32, 1, N, values);
        Matrix out = device.empty(DType.F32, 1, N)) {
      stream.poison(out);
      launch(stream, inp, out);
      stream.synchronize();
      return wrong(out.floats());
    }
  }

  /** Enqueues it. */
  void launch(Stream stream, Matrix inp, Matrix out) {
    stream.launch(kernel, 1, N, inp, out, N);
  }

  private static String wrong(float[] out) {
    for (int i = 0; i < N; i++) {
      if (out[i] != 2 * i + 1) {
        return "element " + i + " is " + out[i] + ", should be " + (2 * i + 1);
      }
    }
    return "";
  }

  /**
   * Runs this variant on a backend of its own over the same device, so that the one under test has
   * seen nothing of it; what the software device compiled for it is kept on the disk.
   *
   * @return why kernels cannot be compiled here, as when the machine has no C++ compiler; empty
   *     when they can
   */
  String lacking(Trial trial) {
    var plain = trial.backend().options().withForms(Map.of()).withFailCall("");
    try (Backend other = Backend.open(plain);
        Stream stream = other.device(0).stream()) {
      evaluate(stream);
      return "";
    } catch (HiplabException e) {
      if (e.getMessage().contains("compiler") || e.getMessage().contains("cannot be compiled")) {
        return e.getMessage();
      }
      throw e;
    }
  }

  @Override
  public void close() {
    kernel.close();
  }
}
