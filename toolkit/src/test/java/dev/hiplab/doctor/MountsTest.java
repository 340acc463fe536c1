package dev.hiplab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of mounts, made up. */
class MountsTest {
  @TempDir Path folder;

  private Path mounts(String... points) throws Exception {
    StringBuilder text = new StringBuilder("root / ext4 rw,of-root 0 0\n");
    for (int n = 0; n < points.length; n++) {
      text.append("t ").append(points[n]).append(" tmpfs rw,of-").append(n).append(" 0 0\n");
    }
    return Files.write(
        folder.resolve("mounts"), text.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void theDeepestMountCounts() throws Exception {
    Path inner = Files.createDirectories(folder.resolve("a+b c/d"));
    String outer = folder.toRealPath().toString();
    assertThat(Mounts.optionsOf(inner, mounts(outer, outer + "/a+b\\040c", outer + "/a")))
        .containsExactly("rw", "of-1");
    assertThat(Mounts.optionsOf(inner, mounts(outer + "/a", outer + "/a+b\\040c/d/e")))
        .containsExactly("rw", "of-root");
  }

  @Test
  void namesInNoEncodingAreNames() throws Exception {
    assertThat(Mounts.optionsOf(folder, mounts("/mnt/\u00ff\u00fe", "\\377", "/mnt/\u00fc")))
        .containsExactly("rw", "of-root");
    Path none = folder.resolve("none");
    assertThat(Mounts.optionsOf(folder, none)).isEmpty();
  }
}
