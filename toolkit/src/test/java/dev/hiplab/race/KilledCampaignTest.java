package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A campaign whose process is killed in the midst of it, with two jobs: resumed it has every run
 * once, and those that were on the disk as they were.
 */
class KilledCampaignTest {
  private static final int RUNS = 6;
  private static final int BEFORE = 5;

  @TempDir Path folder;

  private static Campaign.Builder campaign(Path out) {
    return Campaign.of("rocblas.first-gemm")
        .forms("FILED", "FIXED")
        .ways("forced:null-handle", "forced:two-handles")
        .runs(RUNS)
        .jobs(2)
        .driver("host")
        .out(out);
  }

  /** The process that is killed. */
  public static void main(String[] args) {
    campaign(Path.of(args[0])).run();
  }

  @Test
  void resumingLosesNoFinishedRunAndRepeatsNone() throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                KilledCampaignTest.class.getName(),
                out.toString())
            .inheritIO()
            .start();
    List<ProcessHandle> children;
    try {
      awaitRuns(out, process);
      children = process.descendants().toList();
    } finally {
      process.destroyForcibly();
      process.waitFor(60, TimeUnit.SECONDS);
    }
    for (ProcessHandle child : children) {
      assertThat(child.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    }
    List<RunRecord> before = RunLog.read(out);
    assertThat(before).hasSizeBetween(BEFORE, 4 * RUNS - 1);

    CampaignResult result = campaign(out).resume(true).run();

    assertThat(result.complete()).isTrue();
    assertThat(RunLog.read(out)).startsWith(before.toArray(new RunRecord[0])).hasSize(4 * RUNS);
    assertThat(result.records()).extracting(run -> Planned.key(run)).doesNotHaveDuplicates();
    assertThat(result.records()).allSatisfy(KilledCampaignTest::isOfTwoJobs);
  }

  private static void isOfTwoJobs(RunRecord run) {
    assertThat(run.environment()).containsEntry("jobs", "2");
  }

  private static void awaitRuns(Path out, Process process) throws Exception {
    Path log = out.resolve(RunLog.FILE);
    for (int i = 0; i < 2400 && process.isAlive(); i++) {
      if (Files.exists(log) && Files.readAllLines(log).size() >= BEFORE) {
        return;
      }
      Thread.sleep(25);
    }
    throw new AssertionError("the campaign did not come to " + BEFORE + " runs");
  }
}
