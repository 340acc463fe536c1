package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.FolderLock;
import dev.hiplab.HiplabException;
import dev.hiplab.findings.Scenarios;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignTest {
  @TempDir Path folder;

  private Campaign.Builder behaving(int runs) {
    return Campaign.of(Misbehaving.Behaves.class).runs(runs).driver("host").out(folder);
  }

  private static List<String> keys(List<RunRecord> runs) {
    return runs.stream().map(run -> run.form() + " " + run.run()).toList();
  }

  @Test
  void formsAlternateAndShareTheirSeeds() throws Exception {
    CampaignResult result = behaving(2).seed(40).run();
    assertThat(keys(result.records())).containsExactly("FILED 0", "FIXED 0", "FILED 1", "FIXED 1");
    assertThat(result.records().stream().map(RunRecord::seed)).containsExactly(40L, 40L, 41L, 41L);
    assertThat(result.complete()).isTrue();
    assertThat(result.summaries())
        .allSatisfy(row -> assertThat(row.toString()).endsWith("; seeds 40 to 41"));
    assertThat(RunLog.read(folder)).isEqualTo(result.records());
    assertThat(Files.list(folder).map(f -> f.getFileName().toString()))
        .containsExactlyInAnyOrder("campaign.json", "runs.jsonl");
  }

  @Test
  void aRecordSaysWhereItRanAndHowToRepeatIt() {
    RunRecord run = behaving(1).forms("FIXED").profile("gfx1151").run().records().get(0);
    assertThat(run.environment())
        .containsEntry("driver", "host")
        .containsEntry("profile", "gfx1151")
        .containsKeys("device", "reason", "os", "version.java", "version.hiplab");
    assertThat(run.command())
        .contains("--forms FIXED", "--runs 1", "--seed 1", "--driver host", "--profile gfx1151");
    assertThat(run.grade()).isEqualTo(Grade.EXPECTED);
  }

  @Test
  void resumingDoesWhatIsMissingAndRepeatsNothing() throws Exception {
    behaving(2).run();
    Path log = folder.resolve(RunLog.FILE);
    List<String> lines = new ArrayList<>(Files.readAllLines(log));
    String torn = lines.get(2).substring(0, 50);
    Files.writeString(log, lines.get(0) + "\n" + lines.get(1) + "\n" + torn);
    List<String> ran = new ArrayList<>();
    CampaignResult result =
        behaving(2)
            .resume(true)
            .listener(
                new CampaignListener() {
                  @Override
                  public void running(String scenario, String form, String way, int run) {
                    ran.add(form + " " + run);
                  }
                })
            .run();
    assertThat(ran).containsExactly("FILED 1", "FIXED 1");
    assertThat(keys(result.records())).containsExactly("FILED 0", "FIXED 0", "FILED 1", "FIXED 1");
    assertThat(RunLog.read(folder)).isEqualTo(result.records());
    assertThat(Files.readAllLines(log).subList(0, 2)).isEqualTo(lines.subList(0, 2));
  }

  /** Linux drops a file's locks with any descriptor of it: a report may read the log meanwhile. */
  @Test
  void aFolderIsHeldWhileItsRunsAreRead() throws Exception {
    behaving(1).run();
    try (RunLog log = RunLog.open(folder)) {
      assertThat(RunLog.read(folder)).hasSize(2);
      Process other =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Intruder.class.getName(),
                  folder.toString())
              .redirectErrorStream(true)
              .start();
      String told = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(other.waitFor()).as(told).isZero();
      assertThat(told).contains("another campaign is writing to " + folder);
      assertThat(log.isEmpty()).isFalse();
    }
    assertThat(behaving(1).resume(true).run().complete()).isTrue();
    assertThat(folder.resolve(FolderLock.FILE)).doesNotExist();
  }

  /** Main of a process that wants the folder too. */
  static final class Intruder {
    public static void main(String[] args) throws Exception {
      try (RunLog log = RunLog.open(Path.of(args[0]))) {
        System.out.println("taken, " + log.isEmpty());
      } catch (HiplabException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** What was left to the environment is said from then on. */
  @Test
  void resumingOnAnotherDeviceIsRefused() throws Exception {
    behaving(1).run();
    CampaignSettings there = CampaignSettings.in(folder);
    assertThat(there.profile()).isNotEmpty();
    assertThat(there.command()).contains("--driver host --profile " + there.profile());
    String other = there.profile().equals("splitk") ? "gfx1151" : "splitk";
    assertThatThrownBy(() -> behaving(1).profile(other).resume(true).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("holds another campaign, made by: " + there.command());
    assertThatThrownBy(() -> behaving(1).hostDevices(2).resume(true).run())
        .hasMessageContaining("holds another campaign");
    assertThat(behaving(1).profile(there.profile()).resume(true).run().complete()).isTrue();
    assertThat(RunLog.read(folder)).hasSize(2);
  }

  @Test
  void aDeviceWithoutRoomForTheMatricesIsNoOutcome() {
    assertThatThrownBy(
            () ->
                Campaign.of(Misbehaving.FillsTheDevice.class)
                    .driver("host")
                    .runs(1)
                    .out(folder)
                    .run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("short of what the machine has: no memory for a matrix")
        .hasMessageContaining("HIPLAB_HOST_MEMORY_BYTES")
        .hasMessageContaining("finish with --resume");
  }

  @Test
  void everyRunIsOnTheDiskBeforeTheNextStarts() throws Exception {
    List<Integer> seen = new ArrayList<>();
    behaving(2)
        .listener(
            new CampaignListener() {
              @Override
              public void running(String scenario, String form, String way, int run) {
                try {
                  seen.add(RunLog.read(folder).size());
                } catch (IOException e) {
                  seen.add(-1);
                }
              }
            })
        .run();
    assertThat(seen).containsExactly(0, 1, 2, 3);
  }

  @Test
  void anInterruptEndsTheChildAndKeepsWhatIsDone() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    Campaign campaign =
        Campaign.of(Misbehaving.Sleeps.class)
            .driver("host")
            .out(folder)
            .listener(
                new CampaignListener() {
                  @Override
                  public void running(String scenario, String form, String way, int run) {
                    running.countDown();
                  }
                })
            .build();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    CountDownLatch ended = new CountDownLatch(1);
    CampaignResult[] result = new CampaignResult[1];
    Future<?> cell =
        executor.submit(
            () -> {
              result[0] = campaign.run();
              ended.countDown();
            });
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
    cell.cancel(true);
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    executor.shutdown();
    assertThat(result[0].complete()).isFalse();
    assertThat(result[0].records()).isEmpty();
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(RunLog.read(folder)).isEmpty();
  }

  @Test
  void aCrashIsARunAndTheCampaignGoesOn() {
    CampaignResult result =
        Campaign.of(Misbehaving.Segfaults.class).runs(1).driver("host").out(folder).run();
    assertThat(result.records().stream().map(RunRecord::outcome))
        .containsExactly(Outcome.CRASH, Outcome.CRASH);
    assertThat(result.records().stream().map(RunRecord::grade))
        .containsExactly(Grade.EXPECTED, Grade.FORBIDDEN);
    assertThat(result.forbidden()).hasSize(1);
    assertThat(result.toString()).contains("1 CRASH").contains("SIGSEGV").contains("forbidden");
  }

  private void assertNoOutcome(Class<? extends Scenario> scenario, String why) throws Exception {
    assertThatThrownBy(() -> Campaign.of(scenario).runs(1).driver("host").out(folder).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("run 0 of test." + scenario.getSimpleName() + " FILED")
        .hasMessageContaining(why)
        .hasMessageContaining("finish with --resume");
    assertThat(RunLog.read(folder)).isEmpty();
  }

  @Test
  void aKillFromOutsideIsNoOutcome() throws Exception {
    assertNoOutcome(Misbehaving.IsKilled.class, "was killed from outside by SIGKILL");
  }

  @Test
  void aMachineWithoutThreadsIsNoOutcomeAndNoHang() throws Exception {
    assertNoOutcome(Misbehaving.GetsNoThread.class, "could not start thread 3 of 8");
  }

  private void assertNotResumed(String log, String why) throws Exception {
    Files.writeString(folder.resolve(RunLog.FILE), log);
    assertThatThrownBy(() -> behaving(1).resume(true).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining(why);
    assertThat(folder.resolve(RunLog.FILE)).hasContent(log);
  }

  @Test
  void runsThatAreNotOfThisCampaignAreNotCounted() throws Exception {
    String id = behaving(1).run().records().get(0).campaign();
    String log = Files.readString(folder.resolve(RunLog.FILE));
    assertNotResumed(log.replace(id, "other"), "is of campaign other, not of " + id);
    assertNotResumed(log.replace("\"run\":0", "\"run\":1"), "not one that this campaign makes");
    assertNotResumed(log + log, "stands there twice");
  }

  @Test
  void aClassThatOnlyThisJvmHasIsRefused() throws Exception {
    String name = Misbehaving.Behaves.class.getName();
    byte[] bytes;
    try (InputStream in = getClass().getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
      bytes = in.readAllBytes();
    }
    Class<?> shell =
        new ClassLoader(getClass().getClassLoader()) {
          Class<?> define() {
            return defineClass(name, bytes, 0, bytes.length);
          }
        }.define();
    assertThatThrownBy(() -> Campaign.of(shell.asSubclass(Scenario.class)))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("fresh JVM");
  }

  @Test
  void nullAndEmptyAreToldByName() {
    assertThatThrownBy(() -> Campaign.of("all").driver(null))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("the driver is null");
    assertThatThrownBy(() -> Campaign.of("all", null))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("a name in scenarios is null");
    assertThatThrownBy(() -> Campaign.of("all").out(Path.of("")))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("empty name");
  }

  @Test
  void unknownNamesAreToldBeforeAnythingIsWritten() {
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> Campaign.of("rocblas.frist-gemm").out(none).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("rocblas.frist-gemm")
        .hasMessageContaining("rocblas.first-gemm");
    assertThatThrownBy(() -> Campaign.of("all").forms("FILLED").out(none).run())
        .hasMessageContaining("FILLED")
        .hasMessageContaining("FILED, FIXED");
    assertThatThrownBy(() -> Campaign.of("all").driver("cuda9").out(none).run())
        .hasMessageContaining("cuda9")
        .hasMessageContaining("host");
    assertThatThrownBy(() -> Campaign.of("all").driver("host").profile("gfx9").out(none).run())
        .hasMessageContaining("gfx9")
        .hasMessageContaining("gfx1151, splitk");
    assertThat(none).doesNotExist();
  }

  @Test
  void issuesNameTheirScenarios() {
    assertThat(Scenarios.named("2198"))
        .extracting(Scenario::id)
        .startsWith("rocblas.first-gemm", "rocblas.stream-rebind")
        .hasSize(6);
    assertThat(Scenarios.named("2200"))
        .extracting(Scenario::id)
        .contains("blaslt.gemms-from-many-threads", "blaslt.pipe-shared", "survey.workspace")
        .doesNotContain("rocblas.first-gemm");
    assertThat(Scenarios.named("2208"))
        .extracting(Scenario::id)
        .containsExactly("blaslt.pipe-shared");
    assertThat(Scenarios.named("ALL")).hasSize(38).doesNotHaveDuplicates();
  }

  @Test
  void whatIsAskedForTwiceRunsOnce() {
    CampaignSettings settings =
        Campaign.of("2198", "all").forms("fixed", "FIXED").build().settings();
    assertThat(settings.scenarios()).hasSize(38).doesNotHaveDuplicates();
    assertThat(settings.forms()).containsExactly("FIXED");
  }

  @Test
  void summariesCountWhatIsThere() {
    FormSummary summary =
        FormSummary.of(List.of(Runs.run("FILED", 0), Runs.run("FILED", 1))).get(0);
    assertThat(summary.runs()).isEqualTo(2);
    assertThat(summary.outcomes()).isEqualTo(Map.of(Outcome.WRONG_RESULT, 2));
    assertThat(summary.median(RunRecord::wallMillis)).isEqualTo(412.125);
    assertThat(summary.median(RunRecord::workMillis)).isNaN();
  }
}
