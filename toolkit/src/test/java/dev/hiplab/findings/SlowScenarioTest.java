package dev.hiplab.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.FormSummary;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Twenty runs of each form, as the findings are judged. */
@Tag("slow")
class SlowScenarioTest {
  @TempDir Path folder;

  private CampaignResult twenty(String scenario, String profile) {
    return Campaign.of(scenario)
        .ways("natural")
        .runs(20)
        .driver("host")
        .profile(profile)
        .out(folder)
        .run();
  }

  @ParameterizedTest
  @ValueSource(strings = {"splitk", "gfx1151"})
  void nothingForbiddenHappens(String profile) {
    CampaignResult result = twenty("all", profile);
    assertThat(result.forbidden()).as(result.toString()).isEmpty();
    assertThat(result.complete()).isTrue();
    for (FormSummary summary : result.summaries()) {
      boolean applies = !(profile.equals("gfx1151") && summary.scenario().contains("workspace"));
      if (summary.form().equals("FIXED")) {
        Outcome right = applies ? Outcome.EXACT : Outcome.NOT_APPLICABLE;
        assertThat(summary.count(right)).as(summary.toString()).isEqualTo(20);
      }
    }
  }

  @Test
  void mostRunsOfTheFiledWorkspaceAreWrong() {
    FormSummary filed = twenty("blaslt.shared-workspace", "splitk").summaries().get(0); // FILED
    assertThat(filed.form()).isEqualTo("FILED");
    assertThat(filed.count(Outcome.WRONG_RESULT)).as(filed.toString()).isGreaterThan(10);
  }
}
