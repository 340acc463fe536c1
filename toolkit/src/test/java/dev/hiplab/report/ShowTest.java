package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Candidate;
import dev.hiplab.DType;
import dev.hiplab.Residue;
import dev.hiplab.ResidueRow;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jshell and a plain JVM print. */
class ShowTest {
  private static final List<RunRecord> RUNS =
      List.of(
          Sample.run("FILED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 100),
          Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 120));

  @TempDir Path folder;
  private final PrintStream console = System.out;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setProperty("hiplab.out", folder.toString());
  }

  @AfterEach
  void release() {
    System.setOut(console);
    System.clearProperty("hiplab.out");
  }

  private String shown(Object... values) {
    Show.show(values);
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aResidueIsATable() {
    ResidueRow row =
        new ResidueRow(DType.BF16, "[1,-1]", 0, 2, -0x1p-24, 64, 64, -0x1p-24, -0x1p-24);
    assertThat(shown(new Residue("a device", List.of(row))))
        .contains("1 of 1 rows leave a residue, each that of gfx11")
        .contains("[1,-1]")
        .contains("-2^-24");
  }

  @Test
  void tablesAreAlignedText() {
    assertThat(shown(SummaryTable.brief(RUNS))).contains("FILED").contains("WRONG_RESULT");
  }

  @Test
  void aChartIsAFileWhosePathIsPrinted() {
    String text = shown(OutcomePlot.of(RUNS));
    Path file = folder.resolve("blaslt-shared-workspace-outcome-of-each-fresh-process.png");
    assertThat(text).isEqualTo("plot: " + file.toAbsolutePath() + System.lineSeparator());
    assertThat(file).exists();
  }

  @Test
  void aCampaignIsItsSummaryAndItsPlots() {
    String text = shown(new CampaignResult(RUNS, folder.resolve("campaign"), 4));
    assertThat(text).contains("2 of 4 runs were done", "WRONG_RESULT");
    assertThat(folder.resolve("campaign/outcomes.png")).exists();
    assertThat(folder.resolve("campaign/runs.csv")).exists();
  }

  @Test
  void listsOfCandidatesAreTables() {
    assertThat(shown(List.of(new Candidate("f32 8x8x8 NN", 0, 4096, 1, -1, ""))))
        .contains("workspace bytes")
        .contains("4096");
  }

  @Test
  void anythingElseIsItsOwnText() {
    assertThat(shown("hello", null, 7, List.of())).contains("hello", "null", "7", "[]");
  }

  @Test
  void freshFoldersAreBelowTheBaseAndNotTheSame() {
    Path first = OutFolder.fresh("campaign");
    assertThat(first.getParent()).isEqualTo(folder);
    // Also before either is made: two processes, or two cells, may ask in the same second.
    assertThat(OutFolder.fresh("campaign")).isNotEqualTo(first);
  }
}
