package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Tunings;
import dev.hiplab.Winner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/tuning.md: its examples in a real jshell, and its table against a file. */
@Timeout(300)
class TuningPageTest {
  @TempDir Path folder;

  @Test
  void aGemmIsTuned() throws Exception {
    String example = Pages.block(Pages.text("tuning.md"), "# Tuning", "java");
    assertThat(Pages.jshell(folder, example))
        .startsWith("bf16 64x64x2048 NT on ")
        .contains("8 candidates, 7 repetitions, bound 250 ms each")
        .containsPattern("(?m)^\\* +\\d ");
  }

  @Test
  void optionsAreGiven() throws Exception {
    String example = Pages.block(Pages.text("tuning.md"), "## Options", "java");
    assertThat(Pages.jshell(folder, example))
        .contains("bf16 4x64x64x64 NT on ", "bf16 2x64x64x64 NT on ")
        .contains(" 4 candidates, 21 repetitions, bound 2000 ms each");
  }

  @Test
  void winnersAreKeptCheckedAndUsed() throws Exception {
    Path file = folder.resolve("winners.json");
    String page = Pages.text("tuning.md");
    String example =
        Pages.block(page, "## The file of winners", "java").replace("winners.json", "" + file);
    assertThat(Pages.jshell(folder, example)).contains("usable      bf16 64x64x2048 NT: solution ");
    assertThat(Tunings.read(file).winners())
        .extracting(Winner::shape)
        .containsExactly("bf16 64x64x2048 NT");
    String table = page.substring(page.indexOf("| field |"));
    Matcher field = Pattern.compile("(?m)^ {6}\"(\\w+)\"").matcher(Files.readString(file));
    int fields = 0;
    while (field.find()) {
      fields++;
      assertThat(table).contains("`" + field.group(1) + "`");
    }
    assertThat(fields).isEqualTo(19);
  }
}
