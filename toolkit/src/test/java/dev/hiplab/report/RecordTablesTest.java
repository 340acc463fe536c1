package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Candidate;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import tech.tablesaw.api.Table;

class RecordTablesTest {
  private static final List<RunRecord> RECORDS =
      List.of(
          Sample.run("FILED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 100),
          Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 300),
          Sample.run("FILED", 1, Outcome.EXACT, Grade.INTERESTING, 200),
          Sample.run("FIXED", 1, Outcome.CRASH, Grade.FORBIDDEN, 310),
          Sample.run("FIXED", 2, Outcome.EXACT, Grade.EXPECTED, 320),
          Sample.run(
              "gfx1151",
              "FILED",
              0,
              Outcome.NOT_APPLICABLE,
              Grade.EXPECTED,
              90,
              Double.NaN,
              "none"));

  @Test
  void summaryCountsEveryOutcomeOfEveryFormAndProfile() {
    Table table = SummaryTable.of(RECORDS);
    assertThat(table.stringColumn("form").asList()).containsExactly("FILED", "FIXED", "FILED");
    assertThat(table.stringColumn("profile").asList())
        .containsExactly("splitk", "splitk", "gfx1151");
    assertThat(table.intColumn("runs").asList()).containsExactly(2, 3, 1);
    assertThat(table.intColumn("WRONG_RESULT").asList()).containsExactly(1, 0, 0);
    assertThat(table.intColumn("CRASH").asList()).containsExactly(0, 1, 0);
    assertThat(table.intColumn("NOT_APPLICABLE").asList()).containsExactly(0, 0, 1);
    assertThat(table.intColumn("HANG").asList()).containsExactly(0, 0, 0);
    assertThat(table.intColumn("forbidden").asList()).containsExactly(0, 1, 0);
  }

  @Test
  void mediansAreOfTheGroupAndMissingWhereNoRunHasATime() {
    Table table = SummaryTable.of(RECORDS);
    assertThat(table.doubleColumn("median wall ms").asList()).containsExactly(150.0, 310.0, 90.0);
    assertThat(table.doubleColumn("median work ms").isMissing(2)).isTrue();
    assertThat(table.doubleColumn("median work ms").get(0)).isEqualTo(15.0);
  }

  @Test
  void briefSummaryLeavesOutOutcomesThatDidNotOccur() {
    assertThat(SummaryTable.brief(RECORDS).columnNames())
        .contains("EXACT", "WRONG_RESULT", "CRASH", "NOT_APPLICABLE")
        .doesNotContain("HANG", "LEAK", "ERROR");
  }

  @Test
  void runTableHasARowARunAndReadsBackFromItsCsv() {
    String csv = Tables.csv(RunTable.of(RECORDS));
    Table back = Table.read().csv(csv, "runs");
    assertThat(back.rowCount()).isEqualTo(6);
    assertThat(back.stringColumn("outcome").asList())
        .containsExactly("WRONG_RESULT", "EXACT", "EXACT", "CRASH", "EXACT", "NOT_APPLICABLE");
    assertThat(back.stringColumn("counters").get(0))
        .isEqualTo("handles.rocblas=1; route.hipblaslt=264");
    assertThat(((Number) back.column("wall ms").get(5)).doubleValue()).isEqualTo(90.0);
  }

  @Test
  void candidatesByShape() {
    Table table =
        CandidateTable.byShape(
            List.of(
                new Candidate("bf16 64x64x64 TN", 0, 0, 1, -1, ""),
                new Candidate("bf16 64x64x64 TN", 1, 65536, 1, -1, ""),
                new Candidate("bf16 64x64x64 TN", 2, 32768, 1, -1, ""),
                new Candidate("f32 8x8x8 NN", 0, 0, 1, -1, "")));
    assertThat(table.intColumn("candidates").asList()).containsExactly(3, 1);
    assertThat(table.intColumn("ask for workspace").asList()).containsExactly(2, 0);
    assertThat(table.longColumn("largest bytes").asList()).containsExactly(65536L, 0L);
  }
}
