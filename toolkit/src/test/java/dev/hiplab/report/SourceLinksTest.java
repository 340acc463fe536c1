package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.findings.Scenarios;
import dev.hiplab.report.SourceLinks.Link;
import dev.hiplab.scenario.Scenario;
import org.junit.jupiter.api.Test;

class SourceLinksTest {
  @Test
  void everyNumberOfASourceHasItsPage() {
    assertThat(SourceLinks.of("mlxcel 2200, 2208"))
        .containsExactly(
            new Link("mlxcel 2200", "https://github.com/lablup/mlxcel/issues/2200"),
            new Link("mlxcel 2208", "https://github.com/lablup/mlxcel/pull/2208"));
    assertThat(SourceLinks.of("MIOpen 12265"))
        .containsExactly(
            new Link("MIOpen 12265", "https://github.com/ROCm/rocm-libraries/pull/12265"));
  }

  @Test
  void everyScenarioOfTheCatalogueHasOne() {
    for (Scenario scenario : Scenarios.all()) {
      assertThat(SourceLinks.of(scenario.source())).as(scenario.id()).isNotEmpty();
    }
  }

  @Test
  void aSourceOfOnesOwnHasNone() {
    assertThat(SourceLinks.of("my notes 12")).isEmpty();
  }
}
