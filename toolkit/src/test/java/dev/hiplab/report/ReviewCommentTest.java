package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Schedule;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is pasted into a review says the same there. */
class ReviewCommentTest {
  private static final String NASTY =
      "a|b `c` ``d`` <b>x</b> @octocat *s* \\| #1\n| x | y |\n```\nz";

  private static RunRecord run(String form, int run, Outcome outcome, Grade grade, String detail) {
    return Sample.run("splitk", form, run, outcome, grade, 20, 10, detail);
  }

  private static String comment(List<RunRecord> runs) {
    return ReviewComment.of(CampaignRuns.of(runs));
  }

  /** The cells of a table's line as GitHub splits it: at pipes that no backslash escapes. */
  static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    for (int i = 1; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\') {
        cell.append(c).append(line.charAt(++i));
      } else if (c == '|') {
        cells.add(cell.toString().strip());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    return cells;
  }

  @Test
  void whereConclusionTableDetailsAndCommandFollowEachOther() {
    String comment =
        comment(
            List.of(
                run("FILED", 0, Outcome.EXACT, Grade.INTERESTING, ""),
                run("FILED", 1, Outcome.WRONG_RESULT, Grade.EXPECTED, "first [0][0] is 1"),
                run("FILED", 2, Outcome.WRONG_RESULT, Grade.EXPECTED, "second"),
                run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, "")));
    assertThat(comment).startsWith("a device · profile splitk · driver host · hiplab 0.1.0\n");
    assertThat(comment)
        .containsSubsequence(
            "`blaslt.shared-workspace` (mlxcel 2200)",
            "\n> GEMMs on different streams",
            "blaslt.shared-workspace on splitk: reproduced, and the fix holds.",
            "| form | way | runs | outcomes |",
            "| FILED | natural | 3 | 2 WRONG_RESULT, 1 EXACT | 2 expected, 1 interesting | 20 |",
            "| FIXED | natural | 1 | 1 EXACT | 1 expected | 20 | 10 |",
            "- FILED (2 of 3) WRONG_RESULT: `first [0][0] is 1`\n",
            "```sh\njava -jar toolkit.jar reproduce")
        .doesNotContain("second", "FORBIDDEN");
    assertThat(comment.lines().count()).isLessThan(60);
  }

  @Test
  void whatIsForbiddenComesFirstAndIsBold() {
    String comment =
        comment(
            List.of(
                run("FILED", 0, Outcome.LEAK, Grade.EXPECTED, "1 left"),
                run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, ""),
                run("FIXED", 1, Outcome.CRASH, Grade.FORBIDDEN, "SIGSEGV")));
    assertThat(comment)
        .containsSubsequence(
            "| **1 EXACT, 1 CRASH** | 1 expected, **1 forbidden** |",
            "- **FORBIDDEN: FIXED (1 of 2) CRASH**: `SIGSEGV`\n",
            "- FILED (all 1) LEAK: `1 left`\n");
  }

  @Test
  void whatRunsSayBreaksNeitherTablesNorTheTextAround() {
    String device = "x|y_z_ @me <i> [a](b)";
    RunRecord named = Sample.of("own|scenario `_x_` <b>", "F|1\n2", 0, Outcome.NOT_APPLICABLE);
    RunRecord said = run("FILED", 0, Outcome.ERROR, Grade.FORBIDDEN, NASTY);
    String comment = comment(List.of(named, said));
    List<String> table = comment.lines().filter(line -> line.startsWith("|")).toList();
    assertThat(table).hasSize(4).allSatisfy(line -> assertThat(cells(line)).hasSize(8));
    assertThat(cells(table.get(2)).get(0)).isEqualTo("own\\|scenario \\`\\_x\\_\\` \\<b\\>");
    assertThat(cells(table.get(2)).get(1)).isEqualTo("F\\|1 2");
    assertThat(comment)
        .contains("ERROR**: ````a|b `c` ``d`` <b>x</b> @octocat *s* \\| #1 | x | y | ``` z````\n");
    assertThat(MarkdownText.escape(device)).isEqualTo("x\\|y_z\\_ @\u200Bme \\<i\\> \\[a\\](b)");
    assertThat(MarkdownText.code("`")).isEqualTo("`` ` ``");
    assertThat(MarkdownText.code("a\u202Eb\u0007c")).isEqualTo("`a\\u202eb c`");
    assertThat(MarkdownText.block("x\n```\ny")).isEqualTo("````sh\nx\n```\ny\n````\n");
  }

  @Test
  void ofManyScenariosOnlyWhatSurprisesIsTold() {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String id = "scenario-" + i;
      runs.add(Sample.of(id, "FILED", 0, Outcome.LEAK));
      runs.add(Sample.of(id, "FIXED", 0, Outcome.EXACT));
    }
    runs.add(run("FILED", 0, Outcome.NOT_APPLICABLE, Grade.INTERESTING, "no workspace"));
    runs.add(run("FIXED", 0, Outcome.NOT_APPLICABLE, Grade.INTERESTING, "no workspace"));
    String comment = comment(runs);
    assertThat(comment.lines().filter(line -> line.startsWith("| scenario-"))).hasSize(40);
    assertThat(comment)
        .containsOnlyOnce(
            "- blaslt.shared-workspace FILED (all 1), blaslt.shared-workspace FIXED (all 1)"
                + " NOT_APPLICABLE: `no workspace`\n")
        .doesNotContain("LEAK: ");
  }

  @Test
  void aLongListOfDetailsIsCutButNothingForbiddenIs() {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      Grade grade = i < 20 ? Grade.FORBIDDEN : Grade.EXPECTED;
      runs.add(run("F" + i, 0, Outcome.LEAK, grade, "left " + i));
    }
    String comment = comment(runs);
    assertThat(comment.lines().filter(line -> line.startsWith("- **FORBIDDEN"))).hasSize(20);
    assertThat(comment).contains("- 10 more in `report.html`\n");
  }

  @Test
  void anExcludedOrderNamesItsLock() {
    RunRecord forced =
        Sample.forced("FIXED", 0, Outcome.EXCLUDED, "by lock eventpool", Schedule.Status.EXCLUDED);
    CampaignRuns runs =
        new CampaignRuns("x", List.of(forced), List.of("a", "b"), Map.of(), 4, List.of());
    assertThat(ReviewComment.of(runs))
        .contains("| 1 of 4 |", "EXCLUDED: `by lock eventpool`", "```sh\na\nb\n```\n");
  }
}
