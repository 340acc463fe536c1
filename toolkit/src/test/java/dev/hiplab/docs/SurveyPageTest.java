package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/survey.md: its two sessions in a real jshell; its command lines are SurveyCommandTest's. */
@Timeout(300)
class SurveyPageTest {
  @TempDir Path folder;

  private String jshell(String example) throws Exception {
    String imports;
    try (var file = getClass().getResourceAsStream("/dev/hiplab/shell.jsh")) {
      imports = new String(file.readAllBytes());
    }
    String out = "System.setProperty(\"hiplab.out\", \"" + folder + "\");\n";
    return Pages.jshell(
        folder, imports + out + example.replace("Path.of(\"", "Path.of(\"" + folder + "/"));
  }

  @Test
  void theSurveyOfThePageRuns() throws Exception {
    String printed = jshell(Pages.block(Pages.text("survey.md"), "## In a notebook", "java"));
    assertThat(printed)
        .contains("2 of 2 shapes, 16 candidates, 2 ask for workspace; 16 exact")
        .containsPattern("bf16 64x64x256 NT +0 +65536")
        .containsPattern("plot: .*/times.png\n")
        .doesNotContain("Error:", "xception");
    try (var folders = Files.list(folder)) {
      assertThat(folders.filter(one -> one.getFileName().toString().startsWith("survey-")))
          .hasSize(2)
          .allSatisfy(one -> assertThat(one.resolve("survey.csv")).isNotEmptyFile());
    }
  }

  @Test
  void theTimingOfThePageRuns() throws Exception {
    String printed = jshell(Pages.block(Pages.text("survey.md"), "## Timing", "java"));
    assertThat(printed)
        .startsWith("200\n")
        .contains("driver host", "timing().arm(\"one\", ...).arm(\"two\", ...)")
        .containsPattern("\ntwo +200 ");
    // Warm-up and samples of two arms, and the header.
    assertThat(folder.resolve("timing.csv")).content().hasLineCount(1 + 2 * 205);
  }
}
