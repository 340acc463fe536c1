package dev.hiplab.rocm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What raw calls reach, in processes of their own: libraries of ROCm's without a device, or none.
 */
@Timeout(120)
class RawProcessesTest {
  @TempDir Path folder;

  private List<String> probe(String... properties) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(properties));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), RawProbe.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HIPLAB_ROCM_PATH", folder.toString());
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().toList();
  }

  /** A runtime that finds no device, and lacks most functions. */
  private void buildHip() throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("hip.c"),
            """
        int hipGetDeviceCount(int* n) { *n = 0; return 100; }
        """);
    Process cc =
        new ProcessBuilder(
                "cc", "-shared", "-fPIC", "-o", folder + "/libamdhip64.so.6", source.toString())
            .inheritIO()
            .start();
    assertThat(cc.waitFor()).as("the test needs a C compiler as cc").isZero();
  }

  @Test
  void insistedRocmWithoutADeviceReachesTheLibraries() throws Exception {
    buildHip();
    List<String> told = probe("-Dhiplab.driver=rocm");
    assertThat(told).hasSize(4);
    assertThat(told.get(0))
        .startsWith("rocm: ROCm's libraries without a device, no hiprtc, no rocblas, no hipblaslt")
        .contains("(rocm was asked for and has no usable device, so its libraries answer: ");
    assertThat(told.get(1)).isEqualTo("count 100 0");
    assertThat(told.get(2))
        .startsWith("missing: hipMalloc cannot be called: libamdhip64 is not there or lacks it")
        .contains("HIPLAB_ROCM_PATH");
    assertThat(told.get(3))
        .startsWith("missing: rocblas_create_handle cannot be called: librocblas");
  }

  @Test
  void insistedRocmWithoutLibrariesIsOneSentence() throws Exception {
    List<String> told = probe("-Dhiplab.driver=rocm");
    assertThat(told).hasSize(1);
    assertThat(told.get(0))
        .startsWith(
            "error: raw calls need ROCm's libraries with driver rocm: libamdhip64 not found")
        .contains("HIPLAB_ROCM_PATH")
        .doesNotContain("/dev/kfd");
  }

  @Test
  void otherwiseTheSoftwareDeviceAnswers() throws Exception {
    buildHip();
    List<String> told = probe("-Dhiplab.profile=gfx1151", "-Dhiplab.hostDevices=2");
    assertThat(told.get(0)).startsWith("host: software device, profile gfx1151, 2 devices (host, ");
    assertThat(told.subList(1, 4)).containsExactly("count 0 2", "status 0", "status 0");
  }

  @Test
  void aWrongOptionIsNamed() throws Exception {
    assertThat(probe("-Dhiplab.driver=rcom").toString()).contains("'rcom'").contains("rocm");
  }

  /** A child that makes no raw call has not loaded their stubs; one that does can. */
  @Test
  void aChildLoadsTheStubsWithItsFirstRawCall() throws Exception {
    CampaignResult result =
        Campaign.ofSource(
                """
                import dev.hiplab.*;
                import dev.hiplab.scenario.*;
                import java.nio.file.*;
                import java.util.*;

                public final class Maps extends SourcedScenario {
                  public Maps() {
                    super("mine.maps", "a test", "what a child loads", "It loads the raw calls.");
                  }

                  @Override
                  public List<Form> forms() {
                    return List.of(Form.fixed());
                  }

                  @Override
                  public Finding run(Trial trial) throws InterruptedException {
                    String maps;
                    try {
                      maps = Files.readString(Path.of("/proc/self/maps"));
                    } catch (java.io.IOException e) {
                      throw new HiplabException("no maps", e);
                    }
                    if (dev.hiplab.rocm.Hip.hipGetDeviceCount(new int[1]) != 0) {
                      throw new HiplabException("no raw calls");
                    }
                    if (!maps.contains("libjniNative.so") || maps.contains("libjniRocm.so")) {
                      throw new HiplabException("libraries: " + maps);
                    }
                    GemmCase gemm = new GemmCase(DType.F32, Gemm.NN, 1, 16, 16, 16, 4);
                    ManyThreads threads = new ManyThreads(trial, 1, 1, List.of(gemm));
                    Tally tally = threads.run();
                    return tally.finding(trial.backend().counters(), threads.workMillis());
                  }
                }
                """)
            .ways("natural")
            .runs(1)
            .driver("host")
            .out(folder.resolve("maps"))
            .run();
    RunRecord run = result.records().get(0);
    assertThat(run.outcome()).as(run.detail()).isEqualTo(Outcome.EXACT);
  }
}
