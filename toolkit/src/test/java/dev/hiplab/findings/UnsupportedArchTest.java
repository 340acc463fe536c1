package dev.hiplab.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Options;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.InProcess;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The finding of an architecture without rocBLAS, on a device that has it, as a GPU may. */
class UnsupportedArchTest {
  @Test
  void aDeviceWithRocblasIsNoFailureOfTheForm(@TempDir Path folder) {
    CampaignResult result =
        InProcess.run(
            "arch",
            List.of(),
            1,
            Options.defaults().withDriver("host"),
            folder,
            new RocblasUnsupportedArch()::run);
    assertThat(result.records().get(0).outcome()).isEqualTo(Outcome.NOT_APPLICABLE);
    assertThat(result.records().get(0).detail())
        .contains("needs one without rocBLAS, as gfx1010 is");
  }
}
