package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What right forms cost, measured and written beside the findings. */
class FormsCommandTest extends CommandLineTest {
  private static final List<String> ROWS =
      List.of(
          "workspace | FIXED",
          "workspace | LEASE_SYNC",
          "workspace | EVENT_HANDOFF",
          "workspace | PER_CALL",
          "pipe-cache | FIXED",
          "pipe-cache | MUTEX_HELD",
          "pipe-cache | PER_CALL",
          "rocblas-handle | FIXED",
          "rocblas-handle | PER_THREAD");

  @Test
  void theTableIsPrintedAndBecomesAPartOfThePageOfFindings() throws Exception {
    Path runs = folder.resolve("forms");
    assertThat(Main.execute("bench", "forms", "--runs", "1", "--out", runs.toString())).isZero();
    for (String row : ROWS) {
      assertThat(out()).containsPattern("\\Q| " + row + " | 1 |\\E( [0-9][^|]*\\|){5}");
    }
    assertThat(out()).containsPattern("\\Q| workspace | FIXED |\\E.*\\| 1(\\.0+)? \\|\n");
    assertThat(
            Main.execute(
                "reproduce",
                "--command",
                "echo hello",
                "--name",
                "greeting",
                "--runs",
                "2",
                "--out",
                folder.resolve("greeting").toString()))
        .isZero();
    Path page = folder.resolve("findings.md");
    assertThat(Main.execute("report", folder.toString(), "--findings", page.toString())).isZero();
    String text = Files.readString(page);
    assertThat(text).contains("## What right forms cost", "java -jar toolkit.jar bench forms");
    // For a shell, in which $Workspace would be a variable.
    assertThat(text).contains("reproduce 'dev.hiplab.race.FormCost$Workspace' 'dev.");
    assertThat(text).contains("reproduce --command 'echo hello' --name greeting", "## greeting");
    assertThat(text).contains("| COMMAND | natural | 2 | 2 PASSED |");
    ROWS.forEach(row -> assertThat(text).contains("| " + row + " | 1 |"));
  }
}
