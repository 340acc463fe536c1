package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The verb doctor as a process of its own, on machines that the environment makes up. */
class DoctorCommandTest extends CommandLineTest {
  private record Said(int code, String out, String err) {
    String last() {
      String[] lines = out.split("\n");
      return lines[lines.length - 1];
    }
  }

  private static ProcessBuilder builder(Map<String, String> environment, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.add("doctor");
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("HIPLAB_"));
    builder.environment().putAll(environment);
    return builder;
  }

  private Said doctor(Map<String, String> environment, String... options) throws Exception {
    return said(builder(environment, options));
  }

  private Said said(ProcessBuilder builder) throws Exception {
    Path out = folder.resolve("out.txt");
    Path err = folder.resolve("err.txt");
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    Process process = builder.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return new Said(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private void library(String name, String source) throws Exception {
    Path file = Files.writeString(folder.resolve(name + ".c"), source);
    String made = folder.resolve(name).toString();
    Process process =
        new ProcessBuilder("cc", "-w", "-shared", "-fPIC", "-o", made, file.toString()).start();
    assertThat(process.waitFor()).as("cc").isZero();
  }

  @Test
  void withoutRocmTheSoftwareDeviceIsWhatWorks() throws Exception {
    Said said = doctor(Map.of("HIPLAB_ROCM_PATH", folder.toString()));
    assertThat(said.code()).as(said.out()).isZero();
    assertThat(said.err()).isEmpty();
    assertThat(said.out()).startsWith("host: software device, profile splitk");
    assertThat(said.out()).contains("OK       a GEMM on the software device is right");
    assertThat(said.last()).endsWith("hiplab runs on the software device");
    assertThat(doctor(Map.of("HIPLAB_ROCM_PATH", folder.toString()), "--rocm").code()).isEqualTo(1);
  }

  @Test
  void librariesThatEndTheirProcessAreLines() throws Exception {
    library(
        "libamdhip64.so.6",
        "#include <stdlib.h>\n__attribute__((constructor)) void dies() { abort(); }\n");
    library(
        "libhiprtc.so.6",
        "__attribute__((constructor)) void faults() { *(volatile int*)8 = 1; }\n");
    library(
        "librocblas.so.4",
        "#include <stdio.h>\n#include <stdlib.h>\n"
            + "__attribute__((constructor)) void leaves() { fputs(\"no\\033[2J device\\n\", stderr);"
            + " exit(1); }\n");
    Said said = doctor(Map.of("HIPLAB_ROCM_PATH", folder.toString()));
    assertThat(said.code()).as(said.out()).isZero();
    assertThat(said.out())
        .containsPattern(
            "TROUBLE  libamdhip64 ended .*: SIGABRT in libamdhip64.so.6\\+0x\\w+ dies\n")
        .containsPattern(
            "TROUBLE  libhiprtc ended .*: SIGSEGV in libhiprtc.so.6\\+0x\\w+ +faults\n")
        .contains("TROUBLE  librocblas ended the process that looked at it: exit code 1 (no")
        .doesNotContain("\033")
        .contains("libhipblaslt not found");
    assertThat(said.out().lines().filter(line -> line.startsWith("           -> ")).count())
        .isEqualTo(said.out().lines().filter(line -> line.startsWith("  TROUBLE")).count());
  }

  @Test
  void nativesThatDoNotLoadAreATroubleAndTheEnd() throws Exception {
    Path file = Files.writeString(folder.resolve("a-file"), "");
    Said said = doctor(Map.of("HIPLAB_CACHE", file.toString(), "JAVA_TOOL_OPTIONS", noTemporary()));
    assertThat(said.code()).as(said.out()).isEqualTo(1);
    assertThat(said.out()).startsWith("no device, for what stands below\n");
    assertThat(said.out()).contains("TROUBLE  the native libraries: cannot unpack");
    assertThat(said.out().split("cannot unpack the native", -1)).as("once").hasSize(2);
    assertThat(said.last()).contains("hiplab does not run");
  }

  private String noTemporary() {
    return "-Djava.io.tmpdir=" + folder.resolve("gone");
  }

  @Test
  void aDriverThatIsAskedForAndNotThereIsTheEnd() throws Exception {
    Said said = doctor(Map.of("HIPLAB_DRIVER", "rocm", "HIPLAB_ROCM_PATH", folder.toString()));
    assertThat(said.code()).as(said.out()).isEqualTo(1);
    assertThat(said.out())
        .startsWith("no device, for what stands below\n")
        .containsPattern("TROUBLE  libamdhip64 not found .*\n +-> install it ")
        .contains("NOTE     driver rocm was asked for, which is not usable for what stands above")
        .doesNotContain("unset HIPLAB_DRIVER", "driver rocm was asked for and");
    assertThat(said.out()).contains("OK       a GEMM on the software device is right");
  }

  @Test
  void jsonCanBeRead() throws Exception {
    Said said = doctor(Map.of("HIPLAB_ROCM_PATH", folder.toString()), "--json");
    JsonObject json = JsonParser.parseString(said.out()).getAsJsonObject();
    assertThat(json.get("works").getAsString()).isEqualTo("SOFTWARE");
    assertThat(json.getAsJsonObject("facts").get("hip.state").getAsString()).isEqualTo("missing");
  }

  @Test
  void whatALibraryPrintsIsNoFactAndItsExitMayHang() throws Exception {
    library(
        "libamdhip64.so.6",
        "#include <stdio.h>\n#include <unistd.h>\n"
            + "__attribute__((constructor)) void prints() {"
            + " for (int i = 0; i < 5000; ++i) puts(\"noise\");"
            + " puts(\"@hiplab 0 fact run.gemm=1\\nfact run.provider=rocm\");"
            + " printf(\"@doctor fact run.provider=rocm\"); fflush(stdout); }"
            + "__attribute__((destructor)) void hangs() { for (;;) pause(); }\n");
    long begin = System.nanoTime();
    Said said = doctor(Map.of("HIPLAB_ROCM_PATH", folder.toString()), "--rocm");
    assertThat(said.code()).as(said.out()).isEqualTo(1);
    assertThat(said.last()).contains("runs on the software device, and not on ROCm");
    assertThat(said.out())
        .contains("OK       native libraries load from")
        .doesNotContain("ended early");
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(50));
  }

  @Test
  void itsChildGoesWhenItIsKilledWhileALibraryHangs() throws Exception {
    Path mark = folder.resolve("hangs");
    library(
        "libamdhip64.so.6",
        "#include <fcntl.h>\n#include <unistd.h>\n__attribute__((constructor)) void hangs() {"
            + " open(\""
            + mark
            + "\", O_CREAT, 0600); for (;;) pause(); }\n");
    Process doctor =
        builder(Map.of("HIPLAB_ROCM_PATH", folder.toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<ProcessHandle> children = List.of();
    try {
      for (int i = 0; i < 1200 && !Files.exists(mark); i++) {
        Thread.sleep(50);
      }
      assertThat(mark).exists();
      children = doctor.descendants().toList();
      assertThat(children).isNotEmpty();
      doctor.destroyForcibly().waitFor();
      for (ProcessHandle child : children) {
        assertThat(child.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
      }
    } finally {
      children.forEach(ProcessHandle::destroyForcibly);
      doctor.destroyForcibly();
    }
  }

  /** A shell in between gives bytes to variables, which this JVM's locale might not. */
  @Test
  void namesThatTheLocaleCannotEncodeAreNotes() throws Exception {
    ProcessBuilder builder = builder(Map.of("LC_ALL", "C"));
    String name = "$(printf '/tmp/\\303\\274')";
    String variables =
        "export PATH=\"NAME:$PATH\" JUPYTER_PATH=\"NAME\" TMPDIR=\"NAME\" VIRTUAL_ENV=\"NAME\""
            + " HIPLAB_ROCM_PATH=\"NAME\" ROCBLAS_TENSILE_LIBPATH=\"NAME\"; exec \"$@\"";
    builder.command().addAll(0, List.of("sh", "-c", variables.replace("NAME", name), "sh"));
    Said said = said(builder);
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .containsPattern("NOTE     HIPLAB_ROCM_PATH=/tmp/.* cannot be a path for this Java")
        .containsPattern("NOTE     ROCBLAS_TENSILE_LIBPATH=/tmp/.* cannot be a path")
        .containsPattern("NOTE     TMPDIR=/tmp/.* cannot be a path")
        .containsPattern("NOTE     1 name.s. in PATH cannot be a path")
        .containsPattern("NOTE     1 name.s. in JUPYTER_PATH cannot be a path");
    assertThat(said.code()).as(said.out()).isZero();
  }

  @Test
  void aCompilerThatCompilesNothingIsATrouble() throws Exception {
    String none = folder.toString();
    Said said = doctor(Map.of("HIPLAB_ROCM_PATH", none, "HIPLAB_CXX", "/bin/true"));
    assertThat(said.out())
        .containsPattern("TROUBLE  a kernel compiled with /bin/true does not work: .*exit code 0")
        .contains("           -> set HIPLAB_CXX to a C++ compiler\n")
        .doesNotContain("kernels are compiled with");
    assertThat(doctor(Map.of("HIPLAB_ROCM_PATH", none)).out())
        .contains("OK       a kernel compiles, loads and is right");
  }

  /** A file system in memory, in a namespace of its own. */
  @Test
  void aFullTemporaryFolderIsATrouble() throws Exception {
    Path small = Files.createDirectories(folder.resolve("small"));
    ProcessBuilder builder =
        builder(Map.of("HIPLAB_ROCM_PATH", folder.toString(), "TMPDIR", small.toString()));
    String mounted =
        "mount -t tmpfs -o size=8k t \"$TMPDIR\" || exit 77; head -c 8192 /dev/zero >\"$TMPDIR/x\";"
            + " exec \"$@\"";
    builder.command().addAll(0, List.of("unshare", "-Urm", "sh", "-c", mounted, "sh"));
    Said said = said(builder);
    assumeThat(said.code()).as("mounting takes a user namespace").isZero();
    assertThat(said.out())
        .containsPattern("TROUBLE  " + small + " cannot be written: No space left")
        .containsPattern("TROUBLE  a kernel compiled with .* does not work: ")
        .contains("           -> set TMPDIR to a writable folder with room\n");
  }
}
