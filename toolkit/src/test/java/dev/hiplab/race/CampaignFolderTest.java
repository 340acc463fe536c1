package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.HiplabException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignFolderTest {
  @TempDir Path folder;

  private static CampaignSettings settings(int runs) {
    return new CampaignSettings(
        List.of("rocblas.first-gemm"),
        List.of(),
        List.of("natural"),
        runs,
        1,
        "host",
        "",
        0,
        Duration.ofSeconds(9),
        false);
  }

  @Test
  void settingsComeBackFromTheirJson() {
    CampaignSettings some =
        new CampaignSettings(
            List.of("a", "b"),
            List.of("FILED"),
            List.of("forced"),
            3,
            -5,
            "rocm",
            "splitk",
            2,
            Duration.ofSeconds(4),
            true);
    assertThat(CampaignSettings.fromJson(some.toJson("id", "now"))).isEqualTo(some);
  }

  @Test
  void theSameCampaignIsTakenUpWithItsRunsAndItsName() throws Exception {
    String id;
    try (CampaignFolder made = CampaignFolder.open(folder, settings(2), false)) {
      id = made.id();
      made.add(Runs.run("FILED", 0));
    }
    try (CampaignFolder again = CampaignFolder.open(folder, settings(2), true)) {
      assertThat(again.id()).isEqualTo(id);
      assertThat(again.done()).containsExactly(Runs.run("FILED", 0));
    }
  }

  @Test
  void anotherCampaignIsNotTakenUp() throws Exception {
    CampaignFolder.open(folder, settings(2), false).close();
    assertThatThrownBy(() -> CampaignFolder.open(folder, settings(3), true))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("another campaign")
        .hasMessageContaining("--runs 2");
  }

  @Test
  void aCampaignIsNotOverwritten() throws Exception {
    CampaignFolder.open(folder, settings(2), false).close();
    assertThatThrownBy(() -> CampaignFolder.open(folder, settings(2), false))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("--resume");
  }

  @Test
  void twoCampaignsDoNotWriteOneFolder() throws Exception {
    try (CampaignFolder held = CampaignFolder.open(folder, settings(2), false)) {
      assertThat(held.path()).isEqualTo(folder);
      assertThatThrownBy(() -> CampaignFolder.open(folder, settings(2), true))
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("another campaign is writing");
    }
  }

  @Test
  void aTornSettingsFileIsNamed() throws Exception {
    Files.writeString(folder.resolve(CampaignFolder.FILE), "{\"scenarios\": [\"a\"");
    assertThatThrownBy(() -> CampaignFolder.open(folder, settings(2), true))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining(CampaignFolder.FILE);
  }

  @Test
  void aSettingsFileThatIsNotOursIsToldWithoutTheParsersWords() throws Exception {
    byte[] binary = {(byte) 0xff, (byte) 0xfe, 0, (byte) 0x80};
    String nulls = settings(2).toJson("id", "now").replaceAll("\"runs\": 2", "\"runs\": null");
    for (byte[] text : List.of("{}".getBytes(), "[1]".getBytes(), nulls.getBytes(), binary)) {
      Files.write(folder.resolve(CampaignFolder.FILE), text);
      assertThatThrownBy(() -> CampaignFolder.open(folder, settings(2), true))
          .isInstanceOf(HiplabException.class)
          .hasMessageEndingWith(" is not what a campaign wrote; name another folder");
    }
  }

  @Test
  void aFileIsNoFolder() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> CampaignFolder.open(file, settings(2), false))
        .isInstanceOf(HiplabException.class)
        .hasMessage(file + " is a file; name a folder");
  }

  @Test
  void wrongNumbersAreNamed() {
    assertThatThrownBy(() -> settings(0)).hasMessageContaining("runs is 0");
    assertThatThrownBy(() -> Campaign.of("all").hostDevices(17).build())
        .hasMessageContaining("17")
        .hasMessageContaining("1 to 16");
    assertThatThrownBy(() -> Campaign.of("all").deadline(Duration.ZERO).build())
        .hasMessageContaining("at least 1 s");
    assertThatThrownBy(
            () -> Campaign.of("all").deadline(Duration.ofSeconds(Long.MAX_VALUE)).build())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("at most 86400 s");
    assertThatThrownBy(() -> settings(2_000_000_000))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("at most 1000000");
  }
}
