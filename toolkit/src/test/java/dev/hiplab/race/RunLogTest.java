package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.HiplabException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
  @TempDir Path folder;

  private void write(RunRecord... runs) throws Exception {
    try (RunLog log = RunLog.open(folder)) {
      log.tidy();
      for (RunRecord run : runs) {
        log.add(run);
      }
    }
  }

  private void append(String text) throws Exception {
    Files.writeString(folder.resolve(RunLog.FILE), text, StandardOpenOption.APPEND);
  }

  @Test
  void aRunComesBackAsItWas() throws Exception {
    RunRecord run = Runs.run("FILED", 3);
    write(run);
    assertThat(RunLog.read(folder)).containsExactly(run);
    assertThat(RunLog.read(folder.resolve(RunLog.FILE))).containsExactly(run);
  }

  @Test
  void aRunOfBeforeLastPointsWereRecordedHasNone() {
    RunRecord run = Runs.run("FILED", 3);
    String line = RunJson.write(run);
    String older = line.replaceFirst("\"lastPoints\":\\{[^}]*\\},", "");
    assertThat(older).isNotEqualTo(line);
    assertThat(RunJson.read(older).lastPoints()).isEmpty();
    assertThat(RunJson.read(older).frame()).isEqualTo(run.frame());
  }

  @Test
  void aRunIsOneLineOfPlainJson() throws Exception {
    write(Runs.run("FILED", 0), Runs.run("FIXED", 0));
    List<String> lines = Files.readAllLines(folder.resolve(RunLog.FILE));
    assertThat(lines).hasSize(2).allSatisfy(line -> assertThat(line).doesNotContain(":NaN"));
    assertThat(lines.get(0))
        .contains("\"workMillis\":null")
        .contains("\"outcome\":\"WRONG_RESULT\"");
  }

  @Test
  void aRunIsOnTheDiskWhenAddReturns() throws Exception {
    try (RunLog log = RunLog.open(folder)) {
      log.add(Runs.run("FILED", 0));
      assertThat(RunLog.read(folder)).hasSize(1);
    }
  }

  @Test
  void aTornLastLineIsNoRunAndIsWrittenOver() throws Exception {
    write(Runs.run("FILED", 0));
    String whole = Files.readString(folder.resolve(RunLog.FILE));
    append(whole.substring(0, whole.length() / 2));
    assertThat(RunLog.read(folder)).containsExactly(Runs.run("FILED", 0));
    write(Runs.run("FIXED", 0));
    assertThat(RunLog.read(folder)).containsExactly(Runs.run("FILED", 0), Runs.run("FIXED", 0));
  }

  @Test
  void aTearInsideACharacterIsATearToo() throws Exception {
    write(Runs.run("FILED", 0));
    byte[] whole = Files.readAllBytes(folder.resolve(RunLog.FILE));
    String text = new String(whole, StandardCharsets.UTF_8);
    int cut = text.substring(0, text.indexOf('·')).getBytes(StandardCharsets.UTF_8).length + 1;
    byte[] torn = Arrays.copyOf(whole, cut);
    Files.write(folder.resolve(RunLog.FILE), torn, StandardOpenOption.APPEND);
    write(Runs.run("FIXED", 0));
    assertThat(RunLog.read(folder)).hasSize(2);
  }

  @Test
  void aLastRunThatLacksOnlyItsLineEndIsKept() throws Exception {
    write(Runs.run("FILED", 0));
    String whole = Files.readString(folder.resolve(RunLog.FILE));
    Files.writeString(folder.resolve(RunLog.FILE), whole.stripTrailing());
    write(Runs.run("FIXED", 0));
    assertThat(RunLog.read(folder)).containsExactly(Runs.run("FILED", 0), Runs.run("FIXED", 0));
  }

  @Test
  void aBrokenLineInTheMiddleIsNamed() throws Exception {
    write(Runs.run("FILED", 0));
    append("{\"campaign\":\"c1\"}\n");
    write(Runs.run("FIXED", 0));
    assertThatThrownBy(() -> RunLog.read(folder))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("no field \"counters\"");
  }

  @Test
  void anUnknownOutcomeIsNamedWithWhatIsAllowed() throws Exception {
    write(Runs.run("FILED", 0));
    String line = Files.readString(folder.resolve(RunLog.FILE));
    append(line.replace("WRONG_RESULT", "ODD"));
    assertThatThrownBy(() -> RunLog.read(folder))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("its outcome is 'ODD', not one of EXACT, ");
  }

  @Test
  void aFolderWithoutACampaignIsNamed() {
    assertThatThrownBy(() -> RunLog.read(folder))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("runs.jsonl");
  }
}
