package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Campaigns of commands, from the builder to the folder. */
class CommandsTest {
  @TempDir Path folder;

  private CommandsBuilder command(String text) {
    return Commands.of(text).runs(1).out(folder.resolve("out"));
  }

  private RunRecord only(CommandsBuilder builder) {
    List<RunRecord> records = builder.run().records();
    assertThat(records).hasSize(1);
    return records.get(0);
  }

  @Test
  void aCommandThatEndsWithZeroHasPassedAndNothingMoreIsKnown() throws Exception {
    RunRecord run = only(command("echo hello; echo there >&2").seed(7));
    assertThat(run.outcome()).isEqualTo(Outcome.PASSED);
    assertThat(run.grade()).isEqualTo(Grade.EXPECTED);
    assertThat(run.detail()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.scenario()).isEqualTo("echo");
    assertThat(run.form()).isEqualTo(Arm.DEFAULT);
    assertThat(run.way()).isEqualTo("natural");
    assertThat(run.wallMillis()).isPositive();
    assertThat(run.environment())
        .containsEntry("driver", "command")
        .containsEntry("command", "echo hello; echo there >&2")
        .containsEntry("folder", Path.of("").toAbsolutePath().toString())
        .containsKeys("os", "version.hiplab")
        .doesNotContainKey("version.java");
    assertThat(Files.readString(folder.resolve("out/output/COMMAND-0.txt")))
        .isEqualTo("hello\nthere\n");
    assertThat(RunLog.read(folder.resolve("out"))).containsExactly(run);
  }

  @Test
  void anotherExitCodeIsAnErrorInItsLastWords() {
    RunRecord run = only(command("echo 'a 3 is no 4'; echo; echo ----; exit 3"));
    assertThat(run.outcome()).isEqualTo(Outcome.ERROR);
    assertThat(run.grade()).isEqualTo(Grade.INTERESTING);
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.detail()).isEqualTo("exit code 3; its last line: a 3 is no 4");
  }

  @Test
  void aPatternThatTakesTooLongIsSaidAndHoldsNothingUp() {
    String line = "a".repeat(60);
    assertThatThrownBy(() -> command("echo " + line).outcome("WRONG_RESULT=(a+)+\\1b").run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("a pattern took longer than 2 s on a line of 60 characters (aaaa");
  }

  @Test
  void theWatchingShellsDoNotNeedTheArmsPath() {
    RunRecord run =
        only(
            command("echo here; while :; do :; done")
                .arm("x:env=PATH=/nonexistent")
                .deadline(Duration.ofSeconds(1)));
    assertThat(run.outcome()).isEqualTo(Outcome.HANG);
    assertThat(run.detail()).endsWith("its last line: here");
    RunRecord told =
        Commands.of("echo $PATH; exit 3")
            .arm("x:env=PATH=/nonexistent")
            .runs(1)
            .out(folder.resolve("told"))
            .run()
            .records()
            .get(0);
    assertThat(told.detail()).isEqualTo("exit code 3; its last line: /nonexistent");
  }

  @Test
  void aSilentErrorSaysItsExitCode() {
    assertThat(only(command("exit 3")).detail()).isEqualTo("exit code 3 without a word");
  }

  @Test
  void aSignalIsACrashWhoeverItEnds() {
    RunRecord run = only(command("echo before; kill -SEGV $$"));
    assertThat(run.outcome()).isEqualTo(Outcome.CRASH);
    assertThat(run.signal()).isEqualTo("SIGSEGV");
    assertThat(run.detail()).isEqualTo("SIGSEGV; its last line: before");
    assertThat(run.exitCode()).isEqualTo(139);
    RunRecord inner = only(command("sh -c 'kill -ABRT $$'; exit $?").out(folder.resolve("2")));
    assertThat(inner.signal()).isEqualTo("SIGABRT");
  }

  @Test
  void theFirstPatternThatALineMatchesIsTheOutcomeAndTheLineItsDetail() {
    RunRecord run =
        only(
            command("echo '(signal: 11, SIGSEGV: x)'; echo assertion a == b failed >&2; exit 101")
                .outcome("WRONG_RESULT=assertion .* failed")
                .outcome(Outcome.CRASH, "signal: \\d+"));
    assertThat(run.outcome()).isEqualTo(Outcome.WRONG_RESULT);
    assertThat(run.detail()).isEqualTo("assertion a == b failed");
    assertThat(run.signal()).isEmpty();
  }

  @Test
  void aLineMayTellOfACrashThatTheExitCodeHides() {
    RunRecord run =
        only(
            command("echo 'process did not exit successfully (signal: 11)'; exit 101")
                .outcome("crash=signal: \\d+"));
    assertThat(run.outcome()).isEqualTo(Outcome.CRASH);
    assertThat(run.signal()).isEqualTo("SIGSEGV");
    assertThat(run.exitCode()).isEqualTo(101);
  }

  @Test
  void aLineOfSuccessIsNoneWhenTheCommandFailed() {
    String text = "echo all 264 equal; exit ";
    assertThat(only(command(text + 0).outcome("EXACT=all \\d+ equal")).outcome())
        .isEqualTo(Outcome.EXACT);
    assertThat(
            only(command(text + 1).outcome("EXACT=all \\d+ equal").out(folder.resolve("2")))
                .outcome())
        .isEqualTo(Outcome.ERROR);
  }

  @Test
  void countersKeepTheLastNumberOrAddThemUp() {
    RunRecord run =
        only(
            command("echo '3 passed; 1 failed'; printf '4 passed; 2 failed\\r\\n'; echo 9x failed")
                .counter("failed+=(\\d+) failed")
                .counter("passed=(\\d+) passed")
                .counter("word=(\\S+) failed")
                .counter("never=(\\d+) ignored"));
    assertThat(run.counters())
        .isEqualTo(Map.of("failed", 3L, "passed", 4L, "word", 2L, "word.unreadable", 1L));
  }

  @Test
  void armsAlternateEachInItsFolderWithItsVariables() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    CampaignResult result =
        command("echo $PWD,$MODE,$HIPLAB_SEED,$HIPLAB_ARM")
            .arm("fixed")
            .arm("reverted", other, Map.of("MODE", "a,b"))
            .arm("own:command=echo own; exit 1")
            .runs(2)
            .seed(40)
            .run();
    assertThat(result.records().stream().map(run -> run.form() + run.run()))
        .containsExactly("fixed0", "reverted0", "own0", "fixed1", "reverted1", "own1");
    assertThat(Files.readString(folder.resolve("out/output/fixed-1.txt")))
        .isEqualTo(Path.of("").toAbsolutePath() + ",,41,fixed\n");
    assertThat(Files.readString(folder.resolve("out/output/reverted-0.txt")))
        .isEqualTo(other + ",a,b,40,reverted\n");
    assertThat(result.records().get(1).environment())
        .containsEntry("folder", other.toString())
        .containsEntry("env.MODE", "a,b");
    assertThat(result.records().get(2).outcome()).isEqualTo(Outcome.ERROR);
    assertThat(result.records().get(2).environment()).containsEntry("command", "echo own; exit 1");
  }

  @Test
  void whatAnArmIsExpectedToDoGradesIt() {
    CampaignResult result =
        command("exit $CODE")
            .arm("pass-0:env=CODE=0,expect=pass")
            .arm("pass-1:env=CODE=1,expect=pass")
            .arm("fail-0:env=CODE=0,expect=fail")
            .arm("fail-1:env=CODE=1,expect=fail")
            .arm("none-1:env=CODE=1")
            .run();
    assertThat(result.records().stream().map(RunRecord::grade))
        .containsExactly(
            Grade.EXPECTED, Grade.FORBIDDEN, Grade.INTERESTING, Grade.EXPECTED, Grade.INTERESTING);
    assertThat(result.toString()).contains("fail-0: 1 run: 1 PASSED", "a guard");
    assertThat(result.summaries().get(0).isGuard()).isFalse();
  }

  @Test
  void aDeadlineIsAHang() {
    RunRecord run =
        only(command("echo waiting for a lock; sleep 600").deadline(Duration.ofSeconds(1)));
    assertThat(run.outcome()).isEqualTo(Outcome.HANG);
    assertThat(run.exitCode()).isEqualTo(-1);
    assertThat(run.detail()).isEqualTo("no end within 1 s; its last line: waiting for a lock");
  }

  @Test
  void aCommandThatCannotRunIsNoOutcome() {
    assertThatThrownBy(() -> command("no-such-command-here").arm("a:expect=fail").run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("run 0 of arm 'a'")
        .hasMessageContaining("exit code 127")
        .hasMessageContaining("not found");
  }

  @Test
  void resumingDoesWhatIsMissingAndRepeatsNothing() throws Exception {
    Path marks = folder.resolve("marks");
    CommandsBuilder campaign =
        command("echo $HIPLAB_ARM >> " + marks).arm("a").arm("b").runs(2).counter("n=(\\d+)");
    campaign.run();
    Path log = folder.resolve("out").resolve(RunLog.FILE);
    List<String> lines = new ArrayList<>(Files.readAllLines(log));
    Files.writeString(
        log, lines.get(0) + "\n" + lines.get(1) + "\n" + lines.get(2).substring(0, 9));
    Files.delete(marks);
    CampaignResult result = campaign.resume(true).run();
    assertThat(result.complete()).isTrue();
    assertThat(Files.readAllLines(marks)).containsExactly("a", "b");
    assertThat(Files.readAllLines(log).subList(0, 2)).isEqualTo(lines.subList(0, 2));
    assertThat(RunLog.read(log)).isEqualTo(result.records());
    assertThatThrownBy(() -> campaign.counter("m=(\\d+)").run())
        .hasMessageContaining("holds another campaign, made by: java -jar toolkit.jar reproduce")
        .hasMessageContaining("--command 'echo $HIPLAB_ARM >> " + marks + "'");
  }

  @Test
  void jobsRunAtOnceAndLoseNone() throws Exception {
    CampaignResult result = command("echo $HIPLAB_ARM").arm("a").arm("b").runs(3).jobs(3).run();
    assertThat(result.records().stream().map(run -> run.form() + run.run()))
        .containsExactlyInAnyOrder("a0", "b0", "a1", "b1", "a2", "b2");
    for (RunRecord run : result) {
      Path printed = folder.resolve("out/output/" + run.form() + "-" + run.run() + ".txt");
      assertThat(Files.readString(printed)).isEqualTo(run.form() + "\n");
    }
  }

  @Test
  void theFolderKeepsWhatWasAsked() {
    CommandSettings asked =
        command("true")
            .arm("a:expect=pass")
            .outcome("LEAK=left")
            .counter("n+=(\\d+)")
            .build()
            .settings();
    command("true").arm("a:expect=pass").outcome("LEAK=left").counter("n+=(\\d+)").run();
    assertThat(Settings.in(folder.resolve("out"))).isEqualTo(asked);
    assertThat(asked.inWords()).isEqualTo("true in " + Path.of("").toAbsolutePath() + " (a)");
  }

  @Test
  void aRecordsCommandRepeatsThatRun() {
    RunRecord run =
        only(command("echo \"it's\" $MODE").arm("a:env=MODE=x,expect=fail").name("mine").seed(5));
    assertThat(run.command())
        .isEqualTo(
            "java -jar toolkit.jar reproduce --command 'echo \"it'\\''s\" $MODE' --name mine --arm"
                + " 'a:dir="
                + Path.of("").toAbsolutePath()
                + ",env=MODE=x,expect=fail' --runs 1 --seed 5");
  }

  @Test
  void theCommitOfTheFolderIsToldWhereThereIsOne() throws Exception {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    String commit =
        "git init -q . && echo 1 > f && git add f && git -c user.name=a -c user.email=a@b"
            + " -c commit.gpgsign=false commit -q -m one";
    assertThat(new ProcessBuilder("sh", "-c", commit).directory(tree.toFile()).start().waitFor())
        .isZero();
    Arm arm = Arm.named("a").in(tree);
    RunRecord clean = only(command("true").arm(arm));
    assertThat(clean.environment().get("commit")).matches("[0-9a-f]{40}");
    assertThat(clean.environment()).containsEntry("dirty", "false");
    Files.writeString(tree.resolve("f"), "2");
    assertThat(only(command("true").arm(arm).out(folder.resolve("2"))).environment())
        .containsEntry("dirty", "true");
    Path none = Files.createDirectory(folder.resolve("none"));
    RunRecord outside = only(command("true").arm(arm.in(none)).out(folder.resolve("3")));
    assertThat(outside.environment()).doesNotContainKeys("commit", "dirty");
  }
}
