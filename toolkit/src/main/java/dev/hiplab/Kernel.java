package dev.hiplab;

import dev.hiplab.bindings.CodeRef;
import dev.hiplab.bindings.KernelRef;
import dev.hiplab.bindings.Native;
import java.lang.ref.Cleaner;

/**
 * One {@code extern "C" __global__} function of a HIP source, launched with {@link Stream#launch}:
 *
 * <pre>{@code
 * String source =
 *     "extern \"C\" __global__ void scale(float* x, int n, float by) {"
 *         + "  int i = blockIdx.x * blockDim.x + threadIdx.x;"
 *         + "  if (i < n) x[i] *= by;"
 *         + "}";
 * try (Kernel scale = Kernel.of(source, "scale")) {
 *   stream.launch(scale, 2, 4, x, 6, 0.5f); // 2 blocks of 4 threads
 *   System.out.println(x);
 * }
 * }</pre>
 *
 * <p>It belongs to no backend. It is compiled for a device by its first launch there, which throws
 * with the compiler's log on an error. Thread-safe.
 */
public final class Kernel implements AutoCloseable {
  private final String name;
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;

  private static final class Handle extends Lifetime {
    final KernelRef ref;

    Handle(String name, KernelRef ref) {
      super(name, null);
      this.ref = ref;
    }

    @Override
    void release() {
      Native.destroyKernel(ref);
    }
  }

  private Kernel(String name, KernelRef ref) {
    this.name = name;
    handle = new Handle("Kernel " + name, ref);
    cleanable = handle.watch(this);
  }

  /**
   * Checks the texts; compiles nothing yet.
   *
   * @param source HIP C++ of the whole module
   * @param name the function's, as it is written in the source
   * @param options for the compiler (hiprtc), each by itself, such as {@code -DN=16}
   * @throws HiplabException for a text that is missing or holds a NUL, for an empty name, and for
   *     an option that holds a blank, where the compiler would read two
   */
  public static Kernel of(String source, String name, String... options) {
    text(source, "a source");
    text(name, "a name");
    Require.given(options, "a kernel", "options");
    for (int i = 0; i < options.length; i++) {
      String option = text(options[i], "text for option " + (i + 1));
      if (option.isEmpty() || option.chars().anyMatch(Character::isWhitespace)) {
        throw new HiplabException(
            "a kernel: option "
                + (i + 1)
                + " is \""
                + option
                + "\"; give one option without blanks, such as -DN=16");
      }
    }
    NativeLibrary.load();
    return new Kernel(name, Native.createKernel(source, name, String.join(" ", options)));
  }

  /**
   * The backend's own GEMM kernels (f32, f16, bf16), which take a GEMM that no library has: to look
   * at their code, or to see that they compile.
   */
  public static Kernel gemm() {
    NativeLibrary.load();
    return new Kernel("hiplab_gemm_f32", Native.gemmKernel());
  }

  /**
   * Compiles the source for an architecture; no device of it is needed, nor any. The compiler is
   * the hiprtc that raw calls reach ({@link dev.hiplab.rocm.RawCalls#describe}): with {@code
   * -Dhiplab.driver=rocm} ROCm's own, also where there is no GPU. The software device's compiles
   * for this machine, whatever the architecture.
   *
   * @param arch as ROCm writes it: {@code gfx1151}, {@code gfx90a:sramecc+:xnack-}
   * @return the code object of all kernels of the source: ROCm's is an ELF file, the software
   *     device's has a header of its own before one
   * @throws HiplabException with the compiler's log when the source does not compile, and for an
   *     architecture that hiprtc does not know, which it is not asked then: it would end the
   *     process; an empty one is refused by every compiler
   */
  public byte[] compileFor(String arch) {
    if (text(arch, "an architecture").isBlank()) {
      throw new HiplabException(
          "a kernel: the architecture is \""
              + arch
              + "\"; allowed are the targets of ROCm 6.4, as gfx942, gfx1100 or gfx1151");
    }
    NativeLibrary.loadRaw(Options.defaults());
    handle.use();
    try {
      CodeRef code = Native.compileKernel(handle.ref, arch);
      try {
        byte[] bytes = new byte[Math.toIntExact(Native.codeBytes(code))];
        Native.copyCode(code, bytes);
        return bytes;
      } finally {
        Native.destroyCode(code);
      }
    } finally {
      handle.done();
    }
  }

  private static String text(String value, String what) {
    return Require.noNul(Require.given(value, "a kernel", what), "a kernel", what);
  }

  /** The function's name. */
  public String name() {
    return name;
  }

  KernelRef use() {
    handle.use();
    return handle.ref;
  }

  void endUse() {
    handle.done();
  }

  /** Launches that are queued still run. */
  @Override
  public void close() {
    try {
      handle.close();
    } finally {
      cleanable.clean();
    }
  }

  @Override
  public String toString() {
    return handle.name() + (handle.isClosed() ? " (closed)" : "");
  }
}
