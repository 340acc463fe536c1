package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/reports.md: its lines do what it says. */
class ReportsPageTest extends CommandLineTest {
  @Test
  void theLinesOfThePageRun() throws Exception {
    String page = Files.readString(Path.of("../docs/reports.md"));
    int begin = page.indexOf("```sh example\n") + "```sh example\n".length();
    List<String> said = new ArrayList<>();
    for (String line : page.substring(begin, page.indexOf("```", begin)).lines().toList()) {
      String words = line.replace("java -jar toolkit.jar ", "").replace("runs/", folder + "/");
      out.reset();
      assertThat(Main.execute(words.split(" "))).as(line + ": " + err()).isZero();
      said.add(out());
    }
    assertThat(said).hasSize(9);
    for (String file : List.of("report.html", "summary.md", "summary.csv", "runs.csv")) {
      assertThat(page).contains(file);
      assertThat(folder.resolve("before/report").resolve(file)).isNotEmptyFile();
      assertThat(folder.resolve("before-report").resolve(file)).isNotEmptyFile();
    }
    assertThat(said.get(2)).startsWith("hiplab software device (profile splitk)");
    assertThat(folder.resolve("beside/sides.csv")).isNotEmptyFile();
    assertThat(said.get(7)).endsWith("before.zip " + folder.resolve("again") + "\n");
    assertThat(said.get(8)).contains("| form | way | before.zip | again |");
  }
}
