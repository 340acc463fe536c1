package dev.hiplab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Backend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A survey whose process is killed in the midst of it: what was on the disk stays, the rest
 * follows.
 */
class KilledSurveyTest {
  private static final String[] SHAPES = {
    "f32 8x8x8 NN", "f32 8x8x16 NN", "f32 8x8x24 NN", "bf16 8x8x32 NT", "bf16 8x8x40 NT"
  };

  @TempDir Path folder;

  private static SurveyBuilder survey(Backend backend) {
    // Slow enough that the kill comes before the end.
    return Survey.on(backend.device(0))
        .shapes(SHAPES)
        .repetitions(1, 1_000_000)
        .budget(Duration.ofMillis(150));
  }

  /** The process that is killed. */
  public static void main(String[] args) {
    try (Backend backend = HostDevice.open()) {
      survey(backend).out(Path.of(args[0])).run();
    }
  }

  @Test
  void resumingLosesNoShapeAndRepeatsNone() throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                KilledSurveyTest.class.getName(),
                out.toString())
            .inheritIO()
            .start();
    try {
      awaitShapes(out, process);
    } finally {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(process.exitValue()).isEqualTo(137);
    List<SurveyRow> before = Survey.read(out).rows();
    assertThat(before).hasSizeBetween(16, 32);
    try (Backend backend = HostDevice.open()) {
      Survey whole = Survey.on(backend.device(0)).budget(Duration.ofMillis(150)).resume(out).run();
      assertThat(whole.complete()).isTrue();
      assertThat(whole.rows()).startsWith(before.toArray(SurveyRow[]::new)).hasSize(40);
      assertThat(whole.count(Verdict.EXACT)).isEqualTo(40);
    }
    assertThat(Files.readAllLines(out.resolve("survey.csv"))).hasSize(41).doesNotHaveDuplicates();
  }

  /** Two shapes, and a header. */
  private static void awaitShapes(Path out, Process process) throws Exception {
    Path csv = out.resolve("survey.csv");
    for (int i = 0; i < 2400 && process.isAlive(); i++) {
      if (Files.exists(csv) && Files.readAllLines(csv).size() >= 17) {
        return;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("the survey did not come to two shapes");
  }
}
