package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/kernels.md: its example in a real jshell. */
@Timeout(300)
class KernelsPageTest {
  @TempDir Path folder;

  @Test
  void aKernelIsCompiledWithoutADevice() throws Exception {
    String example = Pages.block(Pages.text("kernels.md"), "## Compiling without a device", "java");
    assertThat(Pages.jshell(folder, example))
        .containsPattern("^[1-9][0-9]{3,} bytes for gfx942\n$");
  }

  @Test
  void theSoftwareDeviceRefusesWhatItCannotHonour() throws Exception {
    assertThat(Pages.text("kernels.md"))
        .contains("the bytes are x86 code")
        .contains("such as\n`__shared__`, which ROCm takes");
    String printed =
        Pages.jshell(
            folder,
            """
            import dev.hiplab.Kernel;
            var plain = Kernel.of("extern \\"C\\" __global__ void k(int* x) { x[0] = 1; }", "nobody");
            var code = plain.compileFor("gfx942");
            int elf = new String(code, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("\\177ELF");
            System.out.println("machine " + code[elf + 18]);
            var shared = Kernel.of(
                "extern \\"C\\" __global__ void k(int* x) { __shared__ int y; y = x[0]; }", "k");
            try {
              shared.compileFor("gfx942");
            } catch (dev.hiplab.HiplabException e) {
              System.out.println(e.getMessage().contains("__shared__"));
            }
            """);
    assertThat(printed).as("x86-64 is machine 62 of ELF").isEqualTo("machine 62\ntrue\n");
  }
}
