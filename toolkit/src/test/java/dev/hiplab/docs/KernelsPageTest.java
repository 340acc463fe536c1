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
}
