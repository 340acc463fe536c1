package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Schedule;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.Conclusion.Verdict;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConclusionTest {
  private static final RunRecord FAILED =
      Sample.run("FILED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 9);
  private static final RunRecord PASSED =
      Sample.run("FILED", 1, Outcome.EXACT, Grade.INTERESTING, 9);
  private static final RunRecord FIXED = Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 9);

  private static Conclusion only(RunRecord... runs) {
    List<Conclusion> conclusions = Conclusion.of(List.of(runs));
    assertThat(conclusions).hasSize(1);
    return conclusions.get(0);
  }

  @Test
  void aFiledFormThatFailedBesideAFixedOneThatDidNotIsReproduced() {
    Conclusion conclusion = only(FAILED, PASSED, FIXED);
    assertThat(conclusion.verdict()).isEqualTo(Verdict.REPRODUCED);
    assertThat(conclusion)
        .hasToString(
            "blaslt.shared-workspace on splitk: reproduced, and the fix holds. Failed: natural FILED"
                + " 1 of 2, FIXED 0 of 1.");
  }

  @Test
  void withoutTheFixedFormNothingIsSaidOfTheFix() {
    assertThat(only(FAILED).text()).contains("reproduced.").doesNotContain("fix");
  }

  @Test
  void aFixedFormThatNeverAppliedDoesNotHold() {
    RunRecord absent = Sample.run("FIXED", 0, Outcome.NOT_APPLICABLE, Grade.INTERESTING, 9);
    assertThat(only(FAILED, absent).text()).contains(": reproduced. ").doesNotContain("holds");
  }

  @Test
  void aFixedFormThatFailedIsToldFirst() {
    RunRecord against = Sample.run("FIXED", 1, Outcome.CRASH, Grade.FORBIDDEN, 9);
    Conclusion conclusion = only(FAILED, FIXED, against);
    assertThat(conclusion.verdict()).isEqualTo(Verdict.AGAINST_SOURCE);
    assertThat(conclusion.text())
        .contains(": AGAINST THE SOURCE: FIXED natural failed in 1 of 2 runs.")
        .doesNotContain("holds");
  }

  @Test
  void noFailureIsAGuardAndNoReproduction() {
    Conclusion conclusion = only(PASSED, FIXED);
    assertThat(conclusion.verdict()).isEqualTo(Verdict.GUARD);
    assertThat(conclusion.text()).contains("not reproduced here");
  }

  @Test
  void onlyRightFormsHoldAndSayWhatEveryRunSaid() {
    assertThat(only(FIXED).verdict()).isEqualTo(Verdict.HOLDS);
    RunRecord survey =
        Sample.run("splitk", "DEVICE", 0, Outcome.EXACT, Grade.EXPECTED, 9, 1, "2 shapes ask");
    assertThat(only(survey, survey).text()).contains(": right in every run: 2 shapes ask. Failed");
    assertThat(only(survey, FIXED).text()).doesNotContain("2 shapes ask");
  }

  @Test
  void aFailureThatOnlyAnOrderBringsIsToldAsSuch() {
    RunRecord forced = Sample.forced("FILED", 0, Outcome.WRONG_RESULT, "", Schedule.Status.HELD);
    RunRecord excluded =
        Sample.forced("FIXED", 0, Outcome.EXCLUDED, "a lock", Schedule.Status.EXCLUDED);
    assertThat(only(PASSED, FIXED, forced, excluded).text())
        .contains("reproduced in a forced order only, and the fix holds.")
        .contains("; forced FILED 1 of 1, FIXED 0 of 1 (1 excluded).");
  }

  @Test
  void forcedRunsAloneSayThatTheyWereForced() {
    RunRecord forced = Sample.forced("FILED", 0, Outcome.WRONG_RESULT, "", Schedule.Status.HELD);
    assertThat(only(forced, forced).text()).contains(": reproduced in a forced order. Failed: ");
  }

  @Test
  void aDeviceThatCannotShowItIsNotApplicableWithTheReason() {
    RunRecord absent =
        Sample.run(
            "gfx1151", "FILED", 0, Outcome.NOT_APPLICABLE, Grade.INTERESTING, 9, 1, "no workspace");
    Conclusion conclusion = only(absent);
    assertThat(conclusion.verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
    assertThat(conclusion.text())
        .isEqualTo(
            "blaslt.shared-workspace on gfx1151: not applicable: no workspace. Runs: natural"
                + " FILED not applicable in 1.");
  }

  @Test
  void runsThatDoNotApplyAreNotCounted() {
    RunRecord absent = Sample.run("FILED", 2, Outcome.NOT_APPLICABLE, Grade.INTERESTING, 9);
    assertThat(only(FAILED, absent, FIXED).text())
        .contains("natural FILED 1 of 1 (1 not applicable), FIXED 0 of 1.");
  }

  @Test
  void aFailureOfWhichNothingWasSaidIsNeitherReproducedNorAgainst() {
    RunRecord crash = Sample.run("COMMAND", 0, Outcome.CRASH, Grade.INTERESTING, 9);
    assertThat(only(crash).verdict()).isEqualTo(Verdict.UNCLAIMED);
  }

  @Test
  void oneThatPassesAndFailsInAnotherWayIsNotReproduced() {
    RunRecord pass = Sample.run("FILED", 1, Outcome.EXACT, Grade.INTERESTING, 9);
    RunRecord error = Sample.run("FILED", 2, Outcome.ERROR, Grade.INTERESTING, 9);
    assertThat(only(pass, error, FIXED).verdict()).isEqualTo(Verdict.UNCLAIMED);
    Conclusion both = only(FAILED, pass, error, FIXED);
    assertThat(both.verdict()).isEqualTo(Verdict.REPRODUCED);
    assertThat(both.text())
        .contains(
            ": reproduced, and the fix holds; 1 run failed in ways of which nothing was claimed."
                + " Failed: natural FILED 2 of 3");
  }

  /** An arm of a command that is called FIXED, of which nothing was claimed. */
  @Test
  void aFixThatFailedDoesNotHold() {
    RunRecord failed = Sample.run("FIXED", 0, Outcome.ERROR, Grade.INTERESTING, 9);
    assertThat(only(FAILED, failed).text())
        .contains(": reproduced; 1 run failed in ways of which nothing was claimed. Failed: ")
        .doesNotContain("the fix holds");
    RunRecord expected = Sample.run("FIXED", 0, Outcome.ERROR, Grade.EXPECTED, 9);
    assertThat(only(expected).text()).contains(": reproduced. Failed: ");
  }

  @Test
  void everyScenarioAndProfileHasItsOwn() {
    assertThat(
            Conclusion.of(
                List.of(
                    FAILED,
                    Sample.run("gfx1151", "FILED", 0, Outcome.EXACT, Grade.INTERESTING, 9, 1, ""),
                    Sample.of("rocblas.first-gemm", "FIXED", 0, Outcome.EXACT))))
        .extracting(Conclusion::verdict)
        .containsExactly(Verdict.REPRODUCED, Verdict.GUARD, Verdict.HOLDS);
    assertThat(Conclusion.of(List.of())).isEmpty();
  }
}
