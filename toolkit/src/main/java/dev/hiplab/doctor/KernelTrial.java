package dev.hiplab.doctor;

import dev.hiplab.Backend;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Kernel;
import dev.hiplab.Matrix;
import dev.hiplab.Options;
import dev.hiplab.Stream;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** A small kernel, compiled for the software device and run: the proof that kernels can be. */
final class KernelTrial {
  /** Key of the proof: 1. */
  static final String RIGHT = "kernel.right";

  private static final int PATIENCE_SECONDS = 30;

  // The word in the comment keeps it out of the cache of compiled kernels, which would prove
  // nothing.
  private static final String SOURCE =
      "// __TIME__\n"
          + "extern \"C\" __global__ void twice(float* x, int n) {"
          + " int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }\n";

  private KernelTrial() {}

  /**
   * Runs it.
   *
   * @throws HiplabException with the compiler's words when it does not compile within 30 s, load or
   *     give the right result
   */
  static Map<String, String> run() {
    Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
    AtomicBoolean stopped = new AtomicBoolean();
    Thread timer = new Thread(() -> stopLater(before, stopped), "doctor-compiler");
    timer.setDaemon(true);
    timer.start();
    try (Backend backend = Backend.open(Options.defaults().withDriver("host"))) {
      float got = twice(backend.device(0), 4);
      if (got != 8) {
        throw new HiplabException("twice 4 came out as " + got);
      }
      return Map.of(RIGHT, "1");
    } catch (HiplabException e) {
      throw stopped.get()
          ? new HiplabException(
              "the compiler was stopped after "
                  + PATIENCE_SECONDS
                  + " s: set HIPLAB_CXX to a C++ compiler",
              e)
          : e;
    } finally {
      timer.interrupt();
    }
  }

  private static float twice(Device device, float value) {
    try (Kernel kernel = Kernel.of(SOURCE, "twice");
        Stream stream = device.stream();
        Matrix x = device.matrix(DType.F32, 1, 1, value)) {
      stream.launch(kernel, 1, 1, x, 1);
      stream.synchronize();
      return x.get(0, 0);
    }
  }

  /**
   * Ends what this process has started since: the compiler, which has a longer limit of its own.
   */
  private static void stopLater(Set<ProcessHandle> before, AtomicBoolean stopped) {
    try {
      Thread.sleep(1000L * PATIENCE_SECONDS);
    } catch (InterruptedException inTime) {
      return;
    }
    stopped.set(true);
    for (ProcessHandle child : ProcessHandle.current().children().toList()) {
      if (!before.contains(child)) {
        child.descendants().forEach(ProcessHandle::destroyForcibly);
        child.destroyForcibly();
      }
    }
  }
}
