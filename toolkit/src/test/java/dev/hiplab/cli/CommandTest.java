package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Lab;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunLog;
import dev.hiplab.race.RunRecord;
import dev.hiplab.race.Settings;
import dev.hiplab.scenario.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code reproduce --command}, as a person sees it. */
class CommandTest extends CommandLineTest {
  private List<String> lines() {
    return out().lines().toList();
  }

  private void assertRefused(String sentence, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(0, "reproduce");
    all.addAll(List.of("--out", folder.resolve("refused").toString()));
    err.reset();
    assertThat(Main.execute(all.toArray(new String[0]))).isEqualTo(Main.USAGE);
    assertThat(err()).startsWith("hiplab: ").contains(sentence);
    assertThat(folder.resolve("refused")).doesNotExist();
  }

  @Test
  void theFirstLineSaysWhatRunsWhereAndTheLastWhereItIs() throws Exception {
    Path runs = folder.resolve("runs");
    String here = Path.of("").toAbsolutePath().toString();
    int code =
        Main.execute(
            "reproduce",
            "--command",
            "echo $N failed; exit $N",
            "--name",
            "mine",
            "--arm",
            "good:env=N=0,expect=pass",
            "--arm",
            "bad:dir=" + folder + ",env=N=2,expect=fail",
            "--counter",
            "failed=(\\d+) failed",
            "--runs",
            "2",
            "--out",
            runs.toString());
    assertThat(code).isZero();
    assertThat(lines().get(0))
        .isEqualTo("command: echo $N failed; exit $N in " + here + " (good), " + folder + " (bad)");
    assertThat(lines().get(1)).startsWith("1/4 mine good PASSED, expected, ");
    assertThat(lines().get(2)).startsWith("2/4 mine bad ERROR, expected, ").endsWith(": 2 failed");
    assertThat(lines()).anyMatch(line -> line.startsWith("mine bad: 2 runs: 2 ERROR (2 expected)"));
    assertThat(lines().get(lines().size() - 1)).isEqualTo("runs in " + runs);
    assertThat(RunLog.read(runs)).hasSize(4);
  }

  @Test
  void aForbiddenOutcomeIsExitCodeOneAndIsReported() throws Exception {
    Path runs = folder.resolve("runs");
    String[] arguments = {
      "reproduce",
      "--command",
      "exit $N",
      "--arm",
      "a:env=N=1,expect=pass",
      "--arm",
      "b:env=N=0",
      "--runs",
      "1",
      "--out",
      runs.toString()
    };
    assertThat(Main.execute(arguments)).isEqualTo(Main.FORBIDDEN);
    out.reset();
    assertThat(Main.execute("report", runs.toString())).isZero();
    assertThat(lines().get(0)).startsWith("command: exit $N in ");
    assertThat(lines()).anyMatch(line -> line.startsWith("exit a: 1 run: 1 ERROR (1 forbidden)"));
    assertThat(Files.readString(runs.resolve("report/runs.csv")))
        .contains("exit,,a,natural,0,ERROR");
    assertThat(Files.readString(runs.resolve("report/summary.csv"))).contains("PASSED");
    assertThat(Files.readString(runs.resolve("report/summary.md")))
        .startsWith("exit \\$N · driver command · hiplab ");
    assertThat(runs.resolve("report/outcomes.png")).isNotEmptyFile();
    assertThat(runs.resolve("report/times.png")).isNotEmptyFile();
  }

  @Test
  void whatCannotBeMeantIsRefusedBeforeAnythingRuns() {
    assertRefused("name a scenario (list shows them)");
    assertRefused("either scenarios or --command TEXT", "2198", "--command", "true");
    assertRefused("--arm belongs to --command TEXT", "2198", "--arm", "a");
    assertRefused("--driver belongs to scenarios", "--command", "true", "--driver", "host");
    assertRefused("--forms belongs to scenarios", "--command", "true", "--forms", "FIXED");
    assertRefused("is no regular expression", "--command", "true", "--outcome", "LEAK=(");
    assertRefused("has 0 groups", "--command", "true", "--counter", "n=1");
    assertRefused("the part 'x='", "--command", "true", "--arm", "a:x=1");
    assertRefused(
        "/no/such/place, is not there", "--command", "true", "--arm", "a:dir=/no/such/place");
  }

  @Test
  void theCommandThatARecordHoldsRepeatsItsRun() throws Exception {
    Path first = folder.resolve("first");
    Main.execute(
        "reproduce",
        "--command",
        "printf '%s,%s\\n' \"it's $M\" $HIPLAB_SEED; exit 3",
        "--arm",
        "a:env=M=x y,z",
        "--outcome",
        "LEAK=(it's) x",
        "--counter",
        "n+=,(\\d+)$",
        "--deadline",
        "50",
        "--runs",
        "2",
        "--out",
        first.toString());
    RunRecord run = RunLog.read(first).get(1);
    assertThat(run.outcome()).isEqualTo(Outcome.LEAK);
    Path again = folder.resolve("again");
    List<String> words = words(run.command());
    words.addAll(List.of("--out", again.toString()));
    assertThat(Main.execute(words.toArray(new String[0]))).isZero();
    RunRecord repeated = RunLog.read(again).get(0);
    assertThat(repeated.detail()).isEqualTo(run.detail()).isEqualTo("it's x y,z,2");
    assertThat(repeated.counters()).isEqualTo(run.counters());
    assertThat(repeated.command()).isEqualTo(run.command());
    assertThat(words(Settings.in(first).command())).contains("--runs", "2", "--deadline", "50");
  }

  @Test
  void aNotebookRunsACommandIntoItsOwnFolder() {
    System.setProperty("hiplab.out", folder.toString());
    try {
      CampaignResult result = Lab.reproduceCommand("exit $N", 1, "a", "b:env=N=1,expect=fail");
      assertThat(result.folder().getParent()).isEqualTo(folder);
      assertThat(result.records().stream().map(RunRecord::outcome))
          .containsExactly(Outcome.PASSED, Outcome.ERROR);
    } finally {
      System.clearProperty("hiplab.out");
    }
    assertThat(lines()).anyMatch(line -> line.contains("a: 1 PASSED; b: 1 ERROR"));
  }

  /** The page's own example, words as a shell splits them. */
  @Test
  void theExampleInTheDocumentationRuns() throws Exception {
    String page = Files.readString(Path.of("../docs/commands.md"));
    Files.writeString(folder.resolve("counter.sh"), block(page, "sh counter.sh"));
    List<String> words = words(block(page, "sh example"));
    words.replaceAll(word -> word.replace("sh counter.sh", "sh " + folder + "/counter.sh"));
    words.addAll(List.of("--out", folder.resolve("runs").toString()));
    assertThat(Main.execute(words.toArray(new String[0]))).isZero();
    List<RunRecord> runs = RunLog.read(folder.resolve("runs"));
    assertThat(runs).hasSize(10);
    for (RunRecord run : runs) {
      long counted = run.counters().get("counted");
      assertThat(run.outcome()).isEqualTo(counted == 20 ? Outcome.PASSED : Outcome.WRONG_RESULT);
      assertThat(counted == 20 || run.form().equals("filed")).isTrue();
    }
  }

  private static String block(String page, String name) {
    Matcher block = Pattern.compile("```" + name + "\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  /** The words after {@code java -jar toolkit.jar}, as a shell reads them. */
  private static List<String> words(String command) throws Exception {
    String text = "java() { shift 2; printf '%s\\0' \"$@\"; }; " + command;
    Process shell = new ProcessBuilder("sh", "-c", text).start();
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ArrayList<>(List.of(said.split("\0")));
  }
}
