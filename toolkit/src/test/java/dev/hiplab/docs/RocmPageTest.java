package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.findings.Scenarios;
import dev.hiplab.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/rocm.md: what of it runs without a GPU does, and what it names is there. */
class RocmPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path folder;

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/rocm.md"));
  }

  private static String block(String language) throws IOException {
    String page = page();
    int begin = page.indexOf("```" + language + "\n") + language.length() + 4;
    return page.substring(begin, page.indexOf("```", begin));
  }

  /** Runs the lines as a shell does, with these classes in the jar's place. */
  private int shell(String lines) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String ours = "\"" + java + "\" -cp \"$CLASSES\" dev.hiplab.cli.Main ";
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-ec", lines.replace("java -jar toolkit.jar ", ours));
    builder.environment().put("CLASSES", System.getProperty("java.class.path"));
    builder.directory(folder.toFile()).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("said.txt").toFile());
    Process process = builder.start();
    assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  @Tag("slow")
  void theChecklistRunsOnTheSoftwareDevice() throws Exception {
    String lines =
        block("sh example")
            .replace("HIPLAB_DRIVER=rocm", "HIPLAB_DRIVER=host")
            .replace(" --way natural", "")
            .replaceAll("--runs \\d+", "--runs 1 --way natural --jobs 2");
    assertThat(shell(lines)).as(Files.readString(folder.resolve("said.txt"))).isZero();
    assertThat(folder.resolve("results.tgz")).isNotEmptyFile();
    assertThat(Files.readString(folder.resolve("results/doctor.json"))).contains("\"facts\"");
    assertThat(Files.readString(folder.resolve("results/devices.txt"))).contains("driver rocm: ");
    for (String file : List.of("candidates/survey.csv", "times/survey.csv", "winners.json")) {
      assertThat(folder.resolve("results/" + file)).isNotEmptyFile();
    }
    for (String step : List.of("survey", "residue", "first", "2200", "12265")) {
      assertThat(folder.resolve("results/" + step + "/report/summary.md")).isNotEmptyFile();
    }
  }

  @Test
  void theChecksRun() throws Exception {
    List<String> lines = block("sh").lines().toList();
    assertThat(lines).hasSize(2);
    // 1 where there is no ROCm, as the page says of doctor --rocm.
    assertThat(shell(lines.get(0))).isBetween(0, 1);
    assertThat(Files.readString(folder.resolve("said.txt"))).contains("Device nodes, for user ");
    assertThat(shell(lines.get(1))).isZero();
  }

  @Test
  void theChecklistHoldsEverySourceButTheDangerousOne() throws Exception {
    String lines = block("sh example");
    for (Scenario scenario : Scenarios.all()) {
      boolean run =
          Stream.of(scenario.source().split("\\D+"))
              .anyMatch(number -> !number.isEmpty() && lines.contains("reproduce " + number + " "));
      run |= lines.contains("reproduce " + scenario.id() + " ");
      assertThat(run).as(scenario.id()).isEqualTo(!scenario.id().equals("fault.sticky"));
    }
  }

  @Test
  void everyScenarioThatNeedsWorkspaceIsNamedAsSuch() throws Exception {
    String row =
        page().lines().filter(line -> line.contains("asks for no workspace")).findFirst().get();
    List<String> named =
        Pattern.compile("`([a-z-]+\\.[a-z-]+)`")
            .matcher(row)
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();
    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(
            Scenarios.all().stream()
                .filter(scenario -> scenario.needs().contains("asks for workspace"))
                .map(Scenario::id)
                .toList());
  }

  @Test
  void whatItSaysTheReasonsSayTheySay() throws Exception {
    String sources;
    try (Stream<Path> files = Files.list(ROOT.resolve("native/driver/rocm"))) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".cpp"))
              .map(RocmPageTest::read)
              .collect(Collectors.joining());
    }
    for (String words :
        List.of(
            "no permission to open ",
            " not found (tried ",
            "does not load (",
            "only an older ",
            "no GPU in the driver's topology",
            "hidden by ",
            "the driver's topology has ",
            " offers no device",
            "has no kernels for ")) {
      assertThat(sources).contains(words);
      assertThat(page()).contains(words.replaceAll("[ (]*(tried )?$", "").strip());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
