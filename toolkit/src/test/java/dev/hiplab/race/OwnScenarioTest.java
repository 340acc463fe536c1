package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import dev.hiplab.scenario.CheckedGemm;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Tally;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scenario that comes as source, as docs/own-scenarios.md has it, and one that is a lambda. */
class OwnScenarioTest {
  @TempDir Path folder;

  private static String example() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "own-scenarios.md"));
    String after = page.substring(page.indexOf("run by OwnScenarioTest"));
    int begin = after.indexOf("```java") + "```java".length();
    return after.substring(begin, after.indexOf("```", begin));
  }

  @Test
  void theExampleOfThePageRunsInFreshProcesses() throws Exception {
    CampaignResult result =
        Campaign.ofSource(example()).runs(1).driver("host").out(folder.resolve("own")).run();
    assertThat(result.records()).hasSize(4);
    assertThat(result.forbidden()).isEmpty();
    RunRecord filed =
        result.records().stream()
            .filter(run -> run.form().equals(Form.FILED) && run.way().equals("forced"))
            .findFirst()
            .orElseThrow();
    assertThat(filed.outcome()).as(filed.detail()).isEqualTo(Outcome.WRONG_RESULT);
    Path source = folder.resolve("own/source/Mine.java");
    assertThat(source).content().contains("class Mine extends SourcedScenario");
    assertThat(filed.command()).contains(source.toString());

    // The command of the record names the file that the campaign kept.
    CampaignResult again =
        Campaign.of(source.toString())
            .forms("FIXED")
            .ways("forced")
            .runs(1)
            .driver("host")
            .out(folder.resolve("again"))
            .run();
    assertThat(again.records()).extracting(RunRecord::outcome).containsExactly(Outcome.EXCLUDED);
  }

  @Test
  void whatTheSourceThrowsAndWhereItHangsNamesItsLine() throws Exception {
    String begin = "public Finding run(Trial trial) throws InterruptedException {";
    assertThat(example()).contains(begin);
    String throwing = example().replace(begin, begin + " if (true) Long.parseLong(\"no\");");
    RunRecord thrown = natural(throwing, 60).run().records().get(0);
    assertThat(thrown.outcome()).isEqualTo(Outcome.ERROR);
    assertThat(thrown.detail())
        .matches("java\\.lang\\.NumberFormatException: .* \\(Mine\\.java:\\d+\\)");
    String sleeping = example().replace(begin, begin + " Thread.sleep(60_000);");
    RunRecord hung = natural(sleeping, 3).out(folder.resolve("hung")).run().records().get(0);
    assertThat(hung.outcome()).isEqualTo(Outcome.HANG);
    assertThat(hung.detail()).contains("main in java.lang.Thread.sleep, called by Mine.run");
  }

  private Campaign.Builder natural(String source, int seconds) {
    return Campaign.ofSource(source)
        .ways("natural")
        .forms("FIXED")
        .runs(1)
        .deadline(Duration.ofSeconds(seconds))
        .driver("host")
        .out(folder.resolve("thrown"));
  }

  @Test
  void anotherSourceDoesNotResumeACampaign() throws Exception {
    Path out = folder.resolve("own");
    Campaign.ofSource(example())
        .ways("natural")
        .forms("FIXED")
        .runs(1)
        .driver("host")
        .out(out)
        .run();
    String edited = example().replace("new ManyThreads(trial, 2, 1", "new ManyThreads(trial, 2, 2");
    Campaign.Builder resumed =
        Campaign.ofSource(edited).ways("natural").forms("FIXED").runs(1).driver("host").out(out);
    assertThatThrownBy(() -> resumed.resume(true).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("Mine.java holds another source");
  }

  @Test
  void aSourceThatDoesNotCompileSaysWhere() throws Exception {
    String wrong = example().replace("return tally.finding", "return tally.findings");
    assertThatThrownBy(() -> Campaign.ofSource(wrong).out(folder).build())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("Mine does not compile: line ")
        .hasMessageContaining("findings");
    assertThatThrownBy(() -> Campaign.ofSource("class Mine {}").out(folder).build())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("no class that implements Scenario");
    assertThatThrownBy(() -> Campaign.of("missing.java").build())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("missing.java cannot be read");
  }

  @Test
  void aLambdaRunsInThisProcess() throws Exception {
    GemmCase gemm = new GemmCase(DType.F32, Gemm.NN, 1, 16, 16, 16, 4);
    CampaignResult result =
        InProcess.run(
            "one gemm",
            List.of(),
            2,
            Options.defaults().withDriver("host"),
            folder.resolve("in"),
            trial -> {
              Tally tally = new Tally();
              var device = trial.backend().device(0);
              try (var stream = device.stream();
                  var one = new CheckedGemm(trial, device, gemm, 0, 0)) {
                one.enqueue(stream);
                one.read(stream);
                one.check(tally, 0, 0);
              }
              return tally.finding(trial.backend().counters(), Double.NaN);
            });
    assertThat(result.records()).extracting(RunRecord::outcome).containsOnly(Outcome.EXACT);
    assertThat(RunLog.read(folder.resolve("in"))).hasSize(2);
    CampaignResult failing =
        InProcess.run(
            "throws",
            List.of(Form.fixed()),
            1,
            Options.defaults().withDriver("host"),
            folder.resolve("throws"),
            trial -> {
              throw new IllegalStateException("gone");
            });
    assertThat(failing.records().get(0).outcome()).isEqualTo(Outcome.ERROR);
    assertThat(failing.forbidden()).hasSize(1);
    assertThat(failing.summaries().get(0).toString())
        .contains(" a run")
        .doesNotContain(" a process");
    CampaignResult nothing =
        InProcess.run(
            "null",
            List.of(Form.fixed()),
            1,
            Options.defaults().withDriver("host"),
            folder.resolve("null"),
            trial -> null);
    assertThat(nothing.records().get(0).detail()).startsWith("the workload returned null");
  }
}
