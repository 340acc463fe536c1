package dev.hiplab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class KernelTest {
  private static final String FILL =
      """
      extern "C" __global__ void fill(float* out, int n, long long by, float f, double d) {
        int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
        if (i < n) out[i] = float(i + (by >> 40)) * f + float(d - 16777216.0) + OFFSET;
      }
      """;

  private static Backend backend;
  private static Device device;
  private static Stream stream;

  @BeforeAll
  static void open() {
    backend = HostBackend.open();
    device = backend.device(0);
    stream = device.stream();
  }

  @AfterAll
  static void close() {
    backend.close();
  }

  private static HiplabException thrown(Runnable call) {
    return catchThrowableOfType(call::run, HiplabException.class);
  }

  /** The example of Kernel's own page. */
  @Test
  void theExample() {
    try (Matrix x = device.matrix(DType.F32, 2, 3, 2, 4, 6, 8, 10, 12)) {
      String source =
          "extern \"C\" __global__ void scale(float* x, int n, float by) {"
              + "  int i = blockIdx.x * blockDim.x + threadIdx.x;"
              + "  if (i < n) x[i] *= by;"
              + "}";
      try (Kernel scale = Kernel.of(source, "scale")) {
        stream.launch(scale, 2, 4, x, 6, 0.5f); // 2 blocks of 4 threads
        assertThat(x.toString()).endsWith("[2, 3] f32\n  1 2 3\n  4 5 6");
      }
    }
  }

  @Test
  void argumentsAndExtentsArrive() {
    try (Kernel fill = Kernel.of(FILL, "fill", "-DOFFSET=100", "-O1");
        Matrix out = device.matrix(DType.F32, 1, 8, new float[8])) {
      stream.launch(fill, Extent.of(2, 2), Extent.of(2), out, 7, 3L << 40, 0.5f, 16777217.0);
      float[] want = new float[8];
      for (int i = 0; i < 7; i++) {
        want[i] = (i + 3) * 0.5f + 1 + 100;
      }
      assertThat(out.floats()).containsExactly(want);
      assertThat(out.writer()).isSameAs(stream);
    }
  }

  @Test
  void aLaunchIsCaptured() {
    try (Kernel fill = Kernel.of(FILL, "fill", "-DOFFSET=0");
        Matrix out = device.matrix(DType.F32, 1, 2, 7, 7)) {
      stream.launch(fill, 1, 1, out, 0, 0L, 0f, 0.0); // compiles
      stream.synchronize();
      stream.beginCapture(CaptureMode.THREAD_LOCAL);
      stream.launch(fill, 1, 2, out, 2, 0L, 1f, 16777216.0);
      try (Graph graph = stream.endCapture()) {
        assertThat(graph.matrices()).containsExactly(out);
        assertThat(out.ints()).containsExactly(7, 7);
        graph.launch(stream);
        assertThat(out.ints()).containsExactly(0, 1);
      }
    }
  }

  @Test
  void anArgumentOfAnotherClassIsNamedByItsPosition() {
    try (Kernel fill = Kernel.of(FILL, "fill", "-DOFFSET=0");
        Matrix out = device.matrix(DType.F32, 1, 1, 7)) {
      assertThat(thrown(() -> stream.launch(fill, 1, 1, out, "three")))
          .hasMessage(
              "launch of fill on stream "
                  + stream.id()
                  + ": argument 2 is a java.lang.String; a kernel takes Matrix, int, long, float"
                  + " and double");
      assertThat(thrown(() -> stream.launch(fill, 1, 1, out, (short) 3)))
          .hasMessageContaining("argument 2 is a java.lang.Short");
      assertThat(thrown(() -> stream.launch(fill, 1, 1, out, null)))
          .hasMessageContaining("argument 2 is null");
      assertThat(thrown(() -> stream.launch(fill, 1, 1, (Object[]) null)))
          .hasMessageContaining("needs arguments, not null");
      assertThat(thrown(() -> stream.launch(fill, 0, 1, out)))
          .hasMessageContaining("not 0 x 1 x 1");
      assertThat(thrown(() -> stream.launch(null, 1, 1))).hasMessageContaining("needs a kernel");
      // What was held for a launch that was refused is let go: this close would wait for it.
    }
  }

  @Test
  void matricesThatCannotBeUsedAreNamed() {
    try (Kernel fill = Kernel.of(FILL, "fill", "-DOFFSET=0");
        Backend other = HostBackend.open()) {
      Matrix there = other.device(0).matrix(DType.F32, 1, 1, 7);
      assertThat(thrown(() -> stream.launch(fill, 1, 1, there)))
          .hasMessageContaining("argument 1 (Matrix 1 [1, 1] f32) is on device 0 of another");
      Matrix closed = device.matrix(DType.F32, 1, 1, 7);
      closed.close();
      assertThat(thrown(() -> stream.launch(fill, 1, 1, closed)))
          .hasMessageContaining("Matrix " + closed.id() + " is closed");
      fill.close();
      assertThat(thrown(() -> stream.launch(fill, 1, 1)))
          .hasMessageContaining("Kernel fill is closed");
      assertThat(fill.toString()).isEqualTo("Kernel fill (closed)");
    }
  }

  @Test
  void aSourceThatDoesNotCompileTellsTheLog() {
    String source = "extern \"C\" __global__ void k() { nobody_knows_this; }";
    try (Kernel kernel = Kernel.of(source, "k")) {
      HiplabException error = thrown(() -> stream.launch(kernel, 1, 1));
      assertThat(error)
          .hasMessageStartingWith("launch of k on stream " + stream.id() + " of device 0: ")
          .hasMessageContaining("nobody_knows_this");
      assertThat(error.call()).isEqualTo("hiprtcCompileProgram");
      assertThat(error.statusName()).isEqualTo("HIPRTC_ERROR_COMPILATION");
    }
  }

  @Test
  void textsThatWouldBeReadOtherwiseAreRefused() {
    assertThat(thrown(() -> Kernel.of(FILL + "\0" + FILL, "fill")))
        .hasMessage(
            "a kernel: a source holds a NUL character at index "
                + FILL.length()
                + "; leave it out");
    assertThat(thrown(() -> Kernel.of(FILL, "fi\0ll"))).hasMessageContaining("a name holds a NUL");
    assertThat(thrown(() -> Kernel.of(FILL, "fill", "-O1", "-D\0")))
        .hasMessageContaining("option 2 holds a NUL");
    assertThat(thrown(() -> Kernel.of(FILL, "fill", "-D A=1")))
        .hasMessage(
            "a kernel: option 1 is \"-D A=1\"; give one option without blanks, such as -DN=16");
    assertThat(thrown(() -> Kernel.of(FILL, "fill", ""))).hasMessageContaining("option 1 is \"\"");
    assertThat(thrown(() -> Kernel.of(null, "fill"))).hasMessageContaining("needs a source");
    assertThat(thrown(() -> Kernel.of(FILL, null))).hasMessageContaining("needs a name");
    assertThat(thrown(() -> Kernel.of(FILL, "fill", (String) null)))
        .hasMessageContaining("needs text for option 1");
  }

  @Test
  void compilesForAnArchitectureWithoutADevice() {
    try (Kernel fill = Kernel.of(FILL, "fill", "-DOFFSET=0.0f");
        Kernel gemm = Kernel.gemm()) {
      // The software device puts a header of its own before the ELF file.
      assertThat(code(fill, "gfx1151"))
          .contains("gfx1151", "\177ELF", "fill")
          .hasSizeGreaterThan(1000);
      assertThat(code(gemm, "gfx90a:sramecc+:xnack-"))
          .contains("gfx90a", "hiplab_gemm_f32", "hiplab_gemm_strip_bf16");
      assertThat(thrown(() -> fill.compileFor("gfx9999")))
          .hasMessageContaining("hiprtc does not know the architecture 'gfx9999'")
          .hasMessageContaining("gfx1151");
      for (String empty : new String[] {"", " "}) {
        assertThat(thrown(() -> fill.compileFor(empty)))
            .hasMessage(
                "a kernel: the architecture is \""
                    + empty
                    + "\"; allowed are the targets of ROCm 6.4, as gfx942, gfx1100 or gfx1151");
      }
      assertThat(thrown(() -> fill.compileFor("gfx"))).hasMessageContaining("'gfx'; allowed are");
      assertThat(thrown(() -> fill.compileFor("x86"))).hasMessageContaining("no target of that");
      assertThat(thrown(() -> fill.compileFor(null))).hasMessageContaining("needs an architecture");
      fill.close();
      assertThat(thrown(() -> fill.compileFor("gfx1151")))
          .hasMessageContaining("Kernel fill is closed");
    }
    try (Kernel wrong = Kernel.of("extern \"C\" __global__ void k() { nobody_knows; }", "k")) {
      HiplabException error = thrown(() -> wrong.compileFor("gfx942"));
      assertThat(error)
          .hasMessageStartingWith("hiprtcCompileProgram failed for gfx942: ")
          .hasMessageContaining("nobody_knows");
      assertThat(error.call()).isEqualTo("hiprtcCompileProgram");
    }
  }

  private static String code(Kernel kernel, String arch) {
    return new String(kernel.compileFor(arch), ISO_8859_1);
  }
}
