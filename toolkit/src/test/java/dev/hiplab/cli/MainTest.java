package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.Misbehaving;
import dev.hiplab.race.RunLog;
import dev.hiplab.report.TerminalText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person sees of the command line. */
class MainTest extends CommandLineTest {
  private void assertOneSentence(String... parts) {
    assertThat(err()).startsWith("hiplab: ").doesNotContain("\tat ").contains(parts);
    assertThat(err().lines().count()).isLessThanOrEqualTo(2);
  }

  @Test
  void anErrorIsOneSentenceAndNeverAForbiddenOutcome() {
    assertThat(Main.failed(new OutOfMemoryError("Java heap space"))).isEqualTo(Main.USAGE);
    assertOneSentence("not enough memory: Java heap space");
  }

  @Test
  void noDevicesAreRefused() {
    assertThat(Main.execute("devices", "--driver", "host", "--devices", "0")).isEqualTo(Main.USAGE);
    assertOneSentence("--devices is 0, allowed are 1 to 16");
  }

  @Test
  void numbersBeyondReasonAreRefused() {
    assertThat(Main.execute("reproduce", "all", "--runs", "2000000000")).isEqualTo(Main.USAGE);
    assertOneSentence("runs is 2000000000", "at most 1000000");
    err.reset();
    assertThat(Main.execute("reproduce", "all", "--deadline", "" + Long.MAX_VALUE))
        .isEqualTo(Main.USAGE);
    assertOneSentence("the deadline is", "at most 86400 s");
  }

  @Test
  void listNamesEveryScenario() {
    assertThat(Main.execute("list")).isZero();
    assertThat(out())
        .contains("rocblas.first-gemm  (mlxcel 2198)")
        .contains("blaslt.shared-workspace  (mlxcel 2200)")
        .contains("forms: FILED, FIXED")
        .contains("needs: a device whose hipBLASLt heuristic asks for workspace");
  }

  @Test
  void devicesSaysWhichDriverAndWhy() {
    assertThat(Main.execute("devices", "--driver", "host")).isZero();
    assertThat(out().lines().findFirst()).get().asString().startsWith("host: ").endsWith(")");
    assertThat(out())
        .contains("Device 0")
        .contains("driver rocm: ")
        .contains("driver host: usable");
    assertThat(out().split("it was asked for", -1)).as("the reason, once").hasSize(2);
  }

  @Test
  void refusalsCodeStandsInTheHelp() {
    for (String verb : List.of("doctor", "devices")) {
      out.reset();
      assertThat(Main.execute(verb, "--help")).isZero();
      assertThat(out().replaceAll("\\s+", " ")).as(verb).containsPattern("Exit code: 0.*; 2 when ");
    }
  }

  @Test
  void reproduceBeginsWithTheDeviceAndEndsWithTheFolder() throws Exception {
    Path runs = folder.resolve("runs");
    int code =
        Main.execute(
            "reproduce",
            "rocblas.first-gemm",
            "--forms",
            "fixed",
            "--way",
            "natural",
            "--runs",
            "2",
            "--driver",
            "host",
            "--out",
            runs.toString());
    assertThat(code).isZero();
    String[] lines = out().split("\n");
    assertThat(lines[0]).startsWith("host: software device").contains("it was asked for");
    assertThat(lines[1]).startsWith("1/2 rocblas.first-gemm FIXED EXACT, expected");
    assertThat(lines[3])
        .startsWith("rocblas.first-gemm on splitk FIXED: 2 runs: 2 EXACT (2 expected)");
    assertThat(lines[lines.length - 1]).isEqualTo("runs in " + runs);
    assertThat(RunLog.read(runs)).hasSize(2);
  }

  @Test
  void theChildrenHaveAsManyDevicesAsThePropertySays() {
    System.setProperty("hiplab.hostDevices", "2");
    try {
      String runs = folder.resolve("runs").toString();
      assertThat(
              Main.execute(
                  "reproduce",
                  "rocblas.first-gemm",
                  "--way",
                  "natural",
                  "--runs",
                  "1",
                  "--driver",
                  "host",
                  "--out",
                  runs))
          .isZero();
    } finally {
      System.clearProperty("hiplab.hostDevices");
    }
    assertThat(out().lines().findFirst()).get().asString().contains(", 2 devices (");
  }

  @Test
  void aForbiddenOutcomeIsExitCodeOne() {
    int code =
        Main.execute(
            "reproduce",
            Misbehaving.Throws.class.getName(),
            "--forms",
            "FIXED",
            "--runs",
            "1",
            "--driver",
            "host",
            "--out",
            folder.resolve("runs").toString());
    assertThat(code).isEqualTo(1);
    assertThat(out()).contains("1 ERROR (1 forbidden)").contains("no such luck");
  }

  @Test
  void reportWritesTablesAndPlots() throws Exception {
    Path runs = folder.resolve("runs");
    Campaign.of(Misbehaving.Behaves.class).runs(1).driver("host").out(runs).run();
    assertThat(Main.execute("report", runs.toString())).isZero();
    assertThat(out()).contains("test.Behaves on splitk FIXED: 1 run: 1 EXACT").contains("wrote ");
    assertThat(runs.resolve("report").resolve("runs.csv")).isNotEmptyFile();
    assertThat(runs.resolve("report").resolve("summary.md")).isNotEmptyFile();
    assertThat(Files.readAllBytes(runs.resolve("report").resolve("outcomes.png")))
        .startsWith(0x89, 'P', 'N', 'G');
  }

  @Test
  void reportOfAFolderOfCampaignsReportsEach() throws Exception {
    Campaign.Builder one = Campaign.of(Misbehaving.Behaves.class).runs(1).driver("host");
    one.forms("FIXED").out(folder.resolve("a")).run();
    one.forms("FILED").out(folder.resolve("b").resolve("c")).run();
    Files.createDirectories(folder.resolve("empty"));
    Files.createFile(folder.resolve("empty").resolve(RunLog.FILE));
    assertThat(Main.execute("report", folder.toString())).isZero();
    assertThat(out())
        .startsWith(folder + " holds campaigns in sub-folders: 2")
        .contains("test.Behaves on splitk FIXED: 1 run", "test.Behaves on splitk FILED: 1 run");
    assertThat(folder.resolve("a").resolve("report").resolve("summary.md")).isNotEmptyFile();
    assertThat(folder.resolve("b").resolve("c").resolve("report").resolve("summary.md"))
        .isNotEmptyFile();

    Path elsewhere = folder.resolve("elsewhere");
    Files.writeString(folder.resolve("a").resolve(RunLog.FILE), "no run\n");
    assertThat(Main.execute("report", folder.toString(), "--out", elsewhere.toString()))
        .isEqualTo(Main.USAGE);
    assertOneSentence("a", "is no run");
    assertThat(elsewhere.resolve("b").resolve("c").resolve("summary.md")).isNotEmptyFile();
  }

  @Test
  void reportTakesTheLogItselfToo() throws Exception {
    Campaign.of(Misbehaving.Behaves.class).runs(1).driver("host").out(folder).run();
    assertThat(Main.execute("report", folder.resolve(RunLog.FILE).toString())).isZero();
    assertThat(folder.resolve("report").resolve("summary.md")).isNotEmptyFile();
  }

  @Test
  void anUnknownScenarioIsNamed() {
    assertThat(Main.execute("reproduce", "2201")).isEqualTo(2);
    assertOneSentence("'2201'", "rocblas.first-gemm", "2198, 2200");
  }

  @Test
  void anUnknownFormIsNamed() {
    assertThat(Main.execute("reproduce", "2198", "--forms", "FILD")).isEqualTo(2);
    assertOneSentence("'FILD'", "FILED, FIXED");
  }

  @Test
  void anUnknownDriverIsNamed() {
    String runs = folder.resolve("none").toString();
    assertThat(Main.execute("reproduce", "2198", "--driver", "cuda9", "--out", runs)).isEqualTo(2);
    assertOneSentence("'cuda9'", "host");
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  void anUnknownProfileIsNamed() {
    int code = Main.execute("devices", "--driver", "host", "--profile", "gfx9");
    assertThat(code).isEqualTo(2);
    assertOneSentence("'gfx9'", "splitk");
  }

  @Test
  void anUnknownOptionAndAnUnknownVerbAreNamed() {
    assertThat(Main.execute("reproduce", "2198", "--rnus", "3")).isEqualTo(2);
    assertOneSentence("--rnus");
    err.reset();
    assertThat(Main.execute("reprodcue")).isEqualTo(2);
    assertThat(err()).contains("reprodcue").doesNotContain("\tat ");
  }

  @Test
  void aFolderWithoutACampaignIsNamed() {
    assertThat(Main.execute("report", folder.toString())).isEqualTo(2);
    assertOneSentence(folder.toString(), "runs.jsonl");
  }

  @Test
  void resumeNeedsAFolder() {
    assertThat(Main.execute("reproduce", "2198", "--resume")).isEqualTo(2);
    assertOneSentence("--resume", "--out");
  }

  @Test
  void whatARecordHoldsDoesNotSteerTheTerminal() throws Exception {
    assertThat(TerminalText.of("a\u001b]0;title\u0007 \u202Eb\n\tc"))
        .isEqualTo("a\uFFFD]0;title\uFFFD \uFFFDb\n\tc");
    assertThat(TerminalText.line("a\nb\tc")).isEqualTo("a\uFFFDb\tc");
    String id = new Misbehaving.SaysNul().id();
    Main.execute(
        "reproduce",
        Misbehaving.SaysNul.class.getName(),
        "--way",
        "natural",
        "--runs",
        "1",
        "--out",
        folder.resolve("nul").toString());
    assertThat(out()).contains("1/", id).contains("a b c d\uFFFDe").doesNotContain("\u202E");
    err.reset();
    assertThat(Main.execute("report", folder.resolve("no\u001b[31m").toString())).isEqualTo(2);
    assertThat(err()).contains("no\uFFFD[31m").doesNotContain("\u001b");
    out.reset();
    Path log = folder.resolve("nul/runs.jsonl");
    String escaped =
        Files.readString(log).replace("software device", "soft\\u001b[31m\\nware device");
    Files.writeString(log, escaped);
    assertThat(Main.execute("report", folder.resolve("nul").toString())).isZero();
    assertThat(out()).contains("host: soft\uFFFD[31m\uFFFDware device").doesNotContain("\u001b");
  }

  @Test
  void aTracedRunWithoutATimelineIsTold() throws Exception {
    Path made = folder.resolve("traced");
    String[] reproduce = {
      "reproduce",
      "rocblas.first-gemm",
      "--way",
      "natural",
      "--forms",
      "FIXED",
      "--runs",
      "1",
      "--trace",
      "--out",
      made.toString()
    };
    assertThat(Main.execute(reproduce)).isZero();
    assertThat(out()).doesNotContain("no timeline");
    try (var files = Files.list(made.resolve("traces"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    assertThat(Main.execute("report", made.toString())).isZero();
    assertThat(out()).contains("1 of 1 traced runs left no timeline in traces/");
    Files.delete(made.resolve("traces"));
    assertThat(Main.execute("report", made.toString())).isZero();
    assertThat(out())
        .contains("no traces/ beside these records: the timelines of 1 traced run are not here");
  }

  @Test
  void theResumeCommandKeepsTheNumberOfJobsAndQuotesWhatAFolderHolds() throws Exception {
    Path campaign = folder.resolve("a b");
    Files.createDirectories(campaign);
    Path made = folder.resolve("made");
    Main.execute(
        "reproduce",
        "rocblas.first-gemm",
        "--way",
        "natural",
        "--forms",
        "FIXED",
        "--runs",
        "1",
        "--out",
        made.toString());
    String json = Files.readString(made.resolve("campaign.json"));
    assertThat(json).contains("\"driver\": \"host\"");
    Files.writeString(
        campaign.resolve("campaign.json"), json.replace("\"host\"", "\"host; touch x #\""));
    assertThat(ReproduceCommand.resumeCommand(campaign, null, 2))
        .contains(" --driver 'host; touch x #' ")
        .contains(" --jobs 2 --out '" + campaign + "' --resume");
    assertThat(ReproduceCommand.resumeCommand(made, null, 1)).doesNotContain("--jobs");
  }

  @Test
  void theResumeCommandNamesTheJarThatIsRunning() {
    String command = "java -jar toolkit.jar reproduce 2198";
    assertThat(ReproduceCommand.asTyped(command, "/a/toolkit.jar"))
        .isEqualTo("java -jar /a/toolkit.jar reproduce 2198");
    assertThat(ReproduceCommand.asTyped(command, "my lab/it's.jar"))
        .isEqualTo("java -jar 'my lab/it'\\''s.jar' reproduce 2198");
    assertThat(ReproduceCommand.asTyped(command, "classes:other.jar")).isEqualTo(command);
  }

  @Test
  void outputThatCannotBeWrittenIsAnErrorAndAReaderThatLeftIsNone() throws Exception {
    for (String verb : new String[] {"list", "devices --driver host", "--help"}) {
      assertThat(shell(verb + " > /dev/full; echo exit $? >&2"))
          .as(verb)
          .matches("hiplab: standard output could not be written, [^\n]*\nexit 2\n");
    }
    assertThat(shell("list | head -n 1 > /dev/null; echo exit ${PIPESTATUS[0]} >&2"))
        .isEqualTo("exit 0\n");
  }

  /** What a call of the command line says on standard error, in a bash. */
  private static String shell(String call) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String line = "\"$0\" -cp \"$1\" dev.hiplab.cli.Main " + call;
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", line, java, System.getProperty("java.class.path"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
