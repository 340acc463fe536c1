package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Folders of this process beside those of others, which are real processes here. */
class TemporaryFolderTest {
  /** Another process, which makes a folder and ends without closing it. */
  static final class Other {
    private Other() {}

    public static void main(String[] arguments) throws Exception {
      System.out.println(TemporaryFolder.make().path());
    }
  }

  private static Path other() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Other.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String told = new String(process.getInputStream().readAllBytes()).strip();
    assertThat(process.waitFor()).as(told).isZero();
    return Path.of(told);
  }

  @Test
  void aFolderStaysInUseWhenItsProcessMakesAnother() throws Exception {
    try (TemporaryFolder first = TemporaryFolder.make()) {
      // Not with Files: that opens and closes the file, which drops the lock too.
      long settled = System.currentTimeMillis() - 3_600_000;
      assertThat(first.path().resolve(TemporaryFolders.LOCK).toFile().setLastModified(settled))
          .isTrue();
      try (TemporaryFolder second = TemporaryFolder.make()) {
        other(); // sweeps what nobody has locked
        assertThat(first.path()).isDirectory();
        assertThat(second.path()).isDirectory();
      }
    }
  }

  @Test
  void aProcessThatEndsLeavesNoFolder() throws Exception {
    Path left = other();
    assertThat(left.getFileName().toString()).startsWith(TemporaryFolders.PREFIX);
    assertThat(left).doesNotExist();
  }
}
