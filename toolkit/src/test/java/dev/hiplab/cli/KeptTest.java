package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.CampaignSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What needs a person's trust before it runs again. */
class KeptTest {
  private static Kept of(String... scenarios) {
    return new Kept(
        "it",
        new CampaignSettings(
            List.of(scenarios),
            List.of(),
            List.of("natural"),
            1,
            1,
            "host",
            "",
            1,
            Duration.ofSeconds(9),
            false),
        Map.of("Mine.java", "one\ntwo\n"),
        1);
  }

  @Test
  void onlyWhatIsInThisHiplabNeedsNoTrust() {
    assertThat(of("rocblas.first-gemm").isCode()).isFalse();
    assertThat(of("dev.hiplab.race.Misbehaving$Behaves").isCode()).isFalse();
    assertThat(of("com.example.Mine").isCode()).isTrue();
    assertThat(of("rocblas.first-gemm", "com.example.Mine").isCode()).isTrue();
    assertThat(of("rocblas.no-such").isCode()).isTrue();
    assertThat(of("dev.hiplab.Mine.java").isCode()).isTrue();
  }

  @Test
  void whereTheCodeComesFromIsSaid() {
    assertThat(of("com.example.Mine").describe())
        .contains("  runs the source com.example.Mine, of your class path");
    assertThat(of("source/Mine.java").describe())
        .contains("  runs the source source/Mine.java, 2 lines");
  }
}
