package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The loader in processes of its own. */
@Timeout(120)
class NativeLibraryTest {
  @TempDir Path temporary;

  private static Process start(String... properties) throws IOException {
    return startMain("dev.hiplab.LoaderProbe", properties);
  }

  static Process startMain(String main, String... properties) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(properties));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  static String output(Process process) throws Exception {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.trim();
  }

  @Test
  void eightProcessesShareOneColdCache() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      processes.add(start("-Dhiplab.cache=" + temporary));
    }
    for (Process process : processes) {
      assertThat(output(process)).startsWith(temporary + "/hiplab/").endsWith(" 36");
    }
    try (var folders = Files.list(temporary.resolve("hiplab"))) {
      assertThat(folders).hasSize(1);
    }
  }

  @Test
  void aGivenFolderIsNotUnpackedAgain() throws Exception {
    String folder = NativeLibrary.folder();
    String told =
        output(start("-Dhiplab.nativeDir=" + folder, "-Dhiplab.cache=" + temporary.resolve("no")));
    assertThat(told).isEqualTo(folder + " 36");
    assertThat(temporary.resolve("no")).doesNotExist();
  }

  @Test
  void aFolderWithoutLibrariesIsNamed() throws Exception {
    assertThat(output(start("-Dhiplab.nativeDir=" + temporary)))
        .startsWith("error: " + temporary)
        .contains("hiplab.nativeDir")
        .doesNotContain("\n");
  }

  @Test
  void aGivenFolderThatOthersCanWriteIsRefused() throws Exception {
    Path shared = Files.createDirectory(temporary.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(output(start("-Dhiplab.nativeDir=" + shared)))
        .startsWith("error: native libraries are not loaded from " + shared)
        .contains("rwxrwxrwx")
        .contains("-Dhiplab.nativeDir")
        .doesNotContain("\n");
  }

  @Test
  void aMissingLibraryIsNamed() throws Exception {
    Files.writeString(temporary.resolve("native.properties"), "hash=1\nfiles=libgone.so\n");
    assertThat(output(start("-Dhiplab.nativeDir=" + temporary)))
        .startsWith("error: cannot load the native library " + temporary + "/libgone.so")
        .doesNotContain("\n");
  }

  // A file stands where the cache should be: nobody can write below it, not even root.
  @Test
  void anUnwritableCacheFallsBackToATemporaryFolder() throws Exception {
    Path blocked = Files.writeString(temporary.resolve("blocked"), "");
    String[] lines =
        output(start("-Dhiplab.cache=" + blocked.resolve("x"), "-Djava.io.tmpdir=" + temporary))
            .split("\n");
    assertThat(lines).hasSize(2);
    assertThat(lines[0]).startsWith("hiplab: cannot use the cache " + blocked);
    assertThat(lines[1]).startsWith(temporary + "/hiplab-").endsWith(" 36");
    assertThat(Path.of(lines[1].split(" ")[0])).as("removed at exit").doesNotExist();
  }

  @Test
  void nowhereToUnpackIsOneSentence() throws Exception {
    Path blocked = Files.writeString(temporary.resolve("blocked"), "");
    assertThat(output(start("-Dhiplab.cache=" + blocked, "-Djava.io.tmpdir=" + blocked)))
        .startsWith("error: cannot unpack the native libraries (")
        .contains("HIPLAB_CACHE")
        .doesNotContain("\n");
  }

  @Test
  void theFirstForgottenObjectIsToldWhenAskedFor() throws Exception {
    String folder = "-Dhiplab.nativeDir=" + NativeLibrary.folder();
    assertThat(output(startMain("dev.hiplab.LeakProbe", folder))).isEmpty();
    assertThat(output(startMain("dev.hiplab.LeakProbe", folder, "-Dhiplab.trackLeaks")))
        .matches("hiplab: Matrix [12] was never closed; made at dev.hiplab.LeakProbe[^\\n]*");
  }
}
