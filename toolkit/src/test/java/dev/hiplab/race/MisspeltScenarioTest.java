package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mistake in a scenario is said to its author, and is no outcome of a form. */
class MisspeltScenarioTest {
  @TempDir Path folder;

  private Campaign.Builder campaign(Class<? extends Scenario> scenario) {
    return Campaign.of(scenario).runs(1).driver("host").out(folder.resolve("out"));
  }

  @Test
  void aPartThatThereIsNot() {
    assertThatThrownBy(() -> campaign(Misbehaving.MisspellsAPart.class).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining(
            "test.MisspellsAPart cannot be run in form MINE, natural: there is no")
        .hasMessageContaining("'rocblas-handel'")
        .hasMessageEndingWith("; mend the scenario");
  }

  @Test
  void aScheduleThatCannotBeRead() {
    assertThatThrownBy(() -> campaign(Misbehaving.MisspellsASchedule.class).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("test.MisspellsASchedule cannot be run in form FILED, forced: ")
        .hasMessageContaining("ordre");
  }

  @Test
  void noFormsAreSaid() {
    assertThatThrownBy(() -> campaign(Misbehaving.HasNoForms.class).build())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("has no forms to run, but null; return List.of(Form.fixed())");
  }

  @Test
  void twoInterleavingsOfOneName() {
    assertThatThrownBy(() -> campaign(Misbehaving.NamesNoOrder.class).build())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("has two interleavings that are called 'forced'")
        .hasMessageContaining(".named(");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void aFindingThatIsNullIsAnErrorOfTheWorkload() {
    RunRecord run = campaign(Misbehaving.FindsNull.class).forms("FIXED").run().records().get(0);
    assertThat(run.outcome()).isEqualTo(Outcome.ERROR);
    assertThat(run.detail()).startsWith("the workload returned null, which is no finding");
  }
}
