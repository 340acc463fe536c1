package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.Schedule;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page of findings counts the runs that it is given. */
class FindingsPageTest {
  private static final String COMMAND = "java -jar toolkit.jar reproduce all --runs 3";

  private static RunRecord filed(int run, Outcome outcome, double wall, String detail) {
    return Sample.run("splitk", "FILED", run, outcome, Grade.EXPECTED, wall, 10 * wall, detail);
  }

  private static String row(String page, String form) {
    return page.lines().filter(line -> line.startsWith("| splitk | " + form)).findFirst().get();
  }

  @Test
  void aRowCountsItsRunsAndSaysWhatTheyMean() {
    List<RunRecord> runs = new ArrayList<>();
    runs.add(Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 50));
    runs.add(filed(0, Outcome.WRONG_RESULT, 20, "a|b"));
    runs.add(filed(1, Outcome.WRONG_RESULT, 40, "a|b"));
    runs.add(filed(2, Outcome.EXACT, 30, ""));
    String page = FindingsPage.of(List.of(COMMAND), runs);
    assertThat(page)
        .contains(COMMAND + "\n", "## " + Sample.SCENARIO + "\n", "mlxcel 2200: one hipBLASLt")
        .doesNotContain("## rocblas.first-gemm", "What right forms cost");
    assertThat(row(page, "FILED"))
        .startsWith(
            "| splitk | FILED | natural | 3 | 2 WRONG_RESULT, 1 EXACT | 30 | 300 | fails in 2 of 3: a")
        .endsWith("a\\|b |");
    assertThat(row(page, "FIXED")).contains("| 1 | 1 EXACT | 50 | 5.0 | right in ");
    assertThat(page.indexOf("| FILED |"))
        .as("in the scenario's order, whichever ended first")
        .isLessThan(page.indexOf("| FIXED |"));
  }

  @Test
  void aForcedRunThatFailedSaysWhetherItsOrderHeld() {
    List<RunRecord> runs =
        List.of(
            forced(0, Schedule.Status.HELD),
            forced(1, Schedule.Status.HELD),
            forced(2, Schedule.Status.EXCLUDED));
    String page = FindingsPage.of(List.of(COMMAND), runs);
    assertThat(row(page, "FILED"))
        .contains(
            "| forced | 3 | 3 LEAK |", "fails in all 3, order held in 2, excluded in 1: why |");
    assertThat(FormSummary.of(runs).get(0).toString())
        .contains("; order held in 2, excluded in 1; seeds ");
    assertThat(FormSummary.of(runs.subList(0, 2)).get(0).ordersInWords()).isEqualTo("order held");
    assertThat(FormSummary.of(List.of(filed(0, Outcome.LEAK, 2, ""))).get(0).ordersInWords())
        .isEmpty();
  }

  private static RunRecord forced(int run, Schedule.Status order) {
    return Sample.forced("FILED", run, Outcome.LEAK, "why", order);
  }

  @Test
  void whatIsNotInTheCatalogueHasASectionToo() {
    RunRecord own = Sample.of("own.scenario", "MINE", 0, Outcome.EXACT);
    String page = FindingsPage.of(List.of(COMMAND), List.of(own));
    assertThat(page).contains("## own.scenario\n\n| profile |");
    assertThat(row(page, "MINE")).contains("| 1 EXACT |");
  }

  @Test
  void aFormThatNeverFailedIsAGuard() {
    RunRecord right =
        Sample.run("splitk", "FILED", 0, Outcome.EXACT, Grade.INTERESTING, 20, 10, "");
    assertThat(row(FindingsPage.of(List.of(COMMAND), List.of(right)), "FILED")).contains("guard");
  }

  @Test
  void ofNoRunsThereIsNoPage() {
    assertThatThrownBy(() -> FindingsPage.of(List.of(COMMAND), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the list of records is empty");
  }
}
