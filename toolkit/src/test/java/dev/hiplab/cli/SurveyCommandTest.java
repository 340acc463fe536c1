package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.measure.Problem;
import dev.hiplab.measure.Survey;
import dev.hiplab.measure.SurveyShapes;
import dev.hiplab.measure.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The verb survey, and docs/survey.md's lines. */
class SurveyCommandTest extends CommandLineTest {
  private static final String[] HOST = {"--driver", "host", "--profile", "splitk"};

  private int survey(String... arguments) {
    out.reset();
    err.reset();
    List<String> all = new ArrayList<>(List.of("survey"));
    all.addAll(List.of(arguments));
    all.addAll(List.of(HOST));
    return Main.execute(all.toArray(String[]::new));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void itPrintsWhereTablesAndFiles() throws Exception {
    Path shapes = Files.writeString(folder.resolve("shapes"), "# mine\n\n f32 NN 8x8x8 \n");
    int code =
        survey(
            "bf16 16x16x64 NT",
            "--shapes",
            shapes.toString(),
            "--budget-ms",
            "5",
            "--seed",
            "3",
            "--candidates",
            "4",
            "--cap-mib",
            "1",
            "--out",
            path("s"));
    assertThat(code).as(err()).isZero();
    assertThat(out())
        .startsWith("host: software device, profile splitk")
        .contains("\n1/2 bf16 16x16x64 NT\n2/2 f32 8x8x8 NN\n")
        .contains("| shape | candidates |", "| bf16 16x16x64 NT | 4 | 2 | 8192 |")
        .containsPattern("\\| bf16 16x16x64 NT \\| 0 \\| 4096 \\|.*\\| exact \\(256\\) \\|")
        .contains("2 of 2 shapes, 8 candidates, 2 ask for workspace; 8 exact\n")
        .contains("survey in " + path("s/survey.csv"), "plot: " + path("s/times.png"));
    Survey read = Survey.read(folder.resolve("s"));
    assertThat(read.rows()).hasSize(8);
    assertThat(read.settings().command())
        .isEqualTo(
            "java -jar toolkit.jar survey 'bf16 16x16x64 NT' 'f32 8x8x8 NN' --candidates 4"
                + " --cap-mib 1 --budget-ms 5 --seed 3 --driver host --profile splitk --out "
                + path("s"));
  }

  @Test
  void aSurveyIsResumedAsItWasAsked() throws Exception {
    assertThat(survey("f32 8x8x8 NN", "f32 8x8x16 NN", "--no-timing", "--out", path("s"))).isZero();
    Path csv = folder.resolve("s/survey.csv");
    List<String> lines = Files.readAllLines(csv);
    Files.writeString(csv, String.join("\n", lines.subList(0, 9)) + "\n");
    assertThat(survey("--resume", path("s"))).as(err()).isZero();
    assertThat(out()).contains("resuming: 1 of 2 shapes are done", "2/2 f32 8x8x16 NN");
    assertThat(Files.readAllLines(csv)).isEqualTo(lines);
    // Alone: driver and profile are those of the survey.
    out.reset();
    assertThat(Main.execute("survey", "--resume", path("s"))).isZero();
    assertThat(out()).startsWith("host: software device, profile splitk");
    assertThat(survey("--resume", path("s"), "--seed", "9")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("seed was 1, is 9");
  }

  @Test
  void whatCannotBeDoneIsTwo() throws Exception {
    assertThat(survey("bf16 8x8 NT", "--out", path("a"))).isEqualTo(Main.USAGE);
    assertThat(err()).startsWith("hiplab: the shape 'bf16 8x8 NT' has sizes '8x8'");
    assertThat(survey("--resume", path("none"))).isEqualTo(Main.USAGE);
    assertThat(err()).contains("holds no survey");
    assertThat(survey("--out", path("a"), "--resume", path("b"))).isEqualTo(Main.USAGE);
    assertThat(survey("--out", "")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--out is empty; name a folder");
    assertThat(survey("--shapes", path("no-file"))).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--shapes " + path("no-file") + ": there is no such file");
    Files.write(folder.resolve("binary"), new byte[] {(byte) 0xFF, 0, (byte) 0xFE});
    assertThat(survey("--shapes", path("binary"))).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--shapes " + path("binary") + " is no text in UTF-8");
    assertThat(survey("--shapes", path(""))).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--shapes " + path("") + " cannot be read: ");
    Files.writeString(folder.resolve("marked"), "\uFEFFf32 8x8x8 NN\r\n");
    assertThat(survey("--shapes", path("marked"), "--no-timing", "--out", path("m"))).isZero();
    assertThat(survey("f32 8x8x8 NN", "--candidates", "1025", "--out", path("a"))).isEqualTo(2);
    assertThat(err()).contains("candidates is 1025; give 1 to 1024");
    assertThat(survey("f32 8x8x8 NN", "--budget-ms", "9300000000000", "--out", path("a")))
        .isEqualTo(Main.USAGE);
    assertThat(err()).contains("the budget is PT2583333H20M; give a day (PT24H) at most");
    assertThat(folder.resolve("a")).doesNotExist();
    Files.writeString(folder.resolve("empty"), "# none\n");
    assertThat(survey("--shapes", path("empty"))).isEqualTo(Main.USAGE);
    assertThat(err()).contains("holds no shape");
    assertThat(survey("--cap-mib", "33", "--out", path("cap"))).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--cap-mib is 33; allowed are 0 to 32");
    assertThat(folder.resolve("cap")).doesNotExist();
    assertThat(survey("f8 8x8x8 NN", "--out", path("f8"))).isEqualTo(Main.USAGE);
    assertThat(out()).contains("no candidate");
  }

  /** A CSV that says so, as no candidate of the software device is wrong. */
  @Test
  void aWrongCandidateIsOne() throws Exception {
    assertThat(survey("f32 8x8x8 NN", "--budget-ms", "1", "--out", path("s"))).isZero();
    Path csv = folder.resolve("s/survey.csv");
    Files.writeString(csv, Files.readString(csv).replaceFirst(",exact,", ",wrong,"));
    assertThat(survey("--resume", path("s"))).isEqualTo(Main.FORBIDDEN);
    assertThat(out()).contains("7 exact, 1 wrong");
    Files.writeString(
        csv, Files.readString(csv).replace(",exact,", ",failed,").replace(",wrong,", ",failed,"));
    assertThat(survey("--resume", path("s"))).isEqualTo(Main.USAGE);
    assertThat(out()).contains("every candidate failed of 1 shape: f32 8x8x8 NN; see the reasons");
    out.reset();
    assertThat(Main.execute("survey", "--help")).isZero();
    assertThat(out().replaceAll("\\s+", " "))
        .contains("1 when a candidate is wrong; 2 when it could not be done", "130 after Ctrl-C");
  }

  @Test
  void aShapeThatIsGivenTwiceIsLeftOutOnce() throws Exception {
    assertThat(
            survey("bf16 1x64x64 NT", "BF16 TN [64,1]x64", "--no-timing", "--out", path("twice")))
        .isZero();
    assertThat(out())
        .contains("left out: 'BF16 TN [64,1]x64' is given already, as 'bf16 1x64x64 NT'\n")
        .contains("1 of 1 shape, 8 candidates");
  }

  /** A process of its own: this one has profile splitk. */
  private int child(String profile, String... arguments) throws IOException, InterruptedException {
    Process process = process(profile, arguments);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private Process process(String profile, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--driver", "host", "--profile", profile));
    return alone(all.toArray(String[]::new)).start();
  }

  private ProcessBuilder alone(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.awt.headless=true",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "survey"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("said").toFile());
  }

  @Test
  void profileGfx1151AsksForNothing() throws Exception {
    assertThat(child("gfx1151", "--no-timing", "--out", path("all"))).isZero();
    Survey all = Survey.read(folder.resolve("all"));
    assertThat(all.place().profile()).isEqualTo("gfx1151");
    assertThat(all.shapes().keySet()).containsExactlyElementsOf(SurveyShapes.all());
    assertThat(all.rows()).hasSize(15 * 8).allMatch(row -> row.workspaceBytes() == 0);
    assertThat(folder.resolve("said")).content().contains("0 ask for workspace");

    assertThat(
            child(
                "gfx1151",
                "bf16 16x16x64 NT",
                "f32 16x16x64 NN",
                "--budget-ms",
                "1",
                "--out",
                path("few")))
        .isZero();
    Survey few = Survey.read(folder.resolve("few"));
    // A device that need not add the IEEE way is within the bound; f32 of small integers is exact.
    assertThat(few.rows())
        .hasSize(16)
        .allMatch(row -> row.verdict() == Verdict.EXACT || row.verdict() == Verdict.WITHIN_BOUND);
    assertThat(few.shapes().get(Problem.of("f32 16x16x64 NN")))
        .allMatch(row -> row.verdict() == Verdict.EXACT);
  }

  /** Ctrl-C's signal in the midst of a shape: what is whole is kept, and how to go on is said. */
  @Test
  void whatAStoppedSurveyKeptIsFinishedByTheCommandThatItPrints() throws Exception {
    Process process =
        process(
            "splitk",
            "f32 8x8x8 NN",
            "bf16 512x512x512 NT",
            "--budget-ms",
            "400",
            "--out",
            path("s"));
    Path said = folder.resolve("said");
    for (int i = 0; i < 1200 && !Files.readString(said).contains("1/2 "); i++) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(20);
    }
    assertThat(survey("--resume", path("s"))).isEqualTo(Main.USAGE);
    assertThat(err()).contains("is writing to " + path("s") + " (process " + process.pid() + ")");
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Survey.read(folder.resolve("s")).rows()).hasSize(8);
    assertThat(said)
        .content()
        .contains("1 of 2 shapes", "stopped; finish with: java -jar toolkit.jar survey --resume ")
        .contains(" --driver host --profile splitk\n")
        .contains("| f32 8x8x8 NN | 0 |");
    assertThat(survey("--resume", path("s"))).as(err()).isZero();
    assertThat(Survey.read(folder.resolve("s")).rows()).hasSize(16);
  }

  /** Where it ran is in its folder, also when the environment said so, and is taken from there. */
  @Test
  void theEnvironmentOfAStoppedSurveyIsInItsCommand() throws Exception {
    ProcessBuilder first =
        alone("f32 8x8x8 NN", "bf16 8x8x64 NT", "--no-timing", "--out", path("s"));
    first.environment().put("HIPLAB_DRIVER", "host");
    first.environment().put("HIPLAB_PROFILE", "gfx1151");
    first.environment().put("HIPLAB_HOST_DEVICES", "2");
    assertThat(first.start().waitFor()).isZero();
    assertThat(Survey.read(folder.resolve("s")).settings().command())
        .endsWith(" --driver host --profile gfx1151 --devices 2 --out " + path("s"));
    Path csv = folder.resolve("s/survey.csv");
    List<String> lines = Files.readAllLines(csv);
    Files.writeString(csv, String.join("\n", lines.subList(0, 9)) + "\n");
    ProcessBuilder rest = alone("--resume", path("s"));
    rest.environment().put("HIPLAB_PROFILE", "splitk");
    assertThat(rest.start().waitFor()).isZero();
    assertThat(folder.resolve("said")).content().contains("profile gfx1151", "2 of 2 shapes");
    assertThat(Files.readAllLines(csv)).isEqualTo(lines);
  }

  @Test
  void theLinesOfThePageRun() throws Exception {
    String page = Files.readString(Path.of("../docs/survey.md"));
    int begin = page.indexOf("```sh example\n") + "```sh example\n".length();
    int ran = 0;
    for (String line : page.substring(begin, page.indexOf("```", begin)).lines().toList()) {
      List<String> words = new ArrayList<>();
      for (String word : line.split(" +(?=(?:[^']*'[^']*')*[^']*$)")) {
        words.add(word.replace("'", "").replace("runs/", folder + "/"));
      }
      assertThat(words.subList(0, 4)).containsExactly("java", "-jar", "toolkit.jar", "survey");
      assertThat(survey(words.subList(4, words.size()).toArray(String[]::new)))
          .as(line + ": " + err())
          .isZero();
      ran++;
    }
    assertThat(ran).isEqualTo(4);
    String columns = Files.readAllLines(folder.resolve("decode/survey.csv")).get(0);
    for (String column : columns.split(",")) {
      assertThat(page).contains("`" + column + "`");
    }
  }
}
