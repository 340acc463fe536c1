package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.HiplabException;
import dev.hiplab.NativeLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache may be deleted at any time: that costs a campaign its pace, never its truth. */
class LostCacheTest {
  private static final int RUNS = 3;

  @TempDir Path folder;

  /**
   * In a process with a cache of its own: loses it before the fourth run, and resumes.
   *
   * @param args folder of the campaign
   */
  public static void main(String[] args) throws Exception {
    Campaign.Builder campaign =
        Campaign.of(Misbehaving.Behaves.class).runs(RUNS).driver("host").out(Path.of(args[0]));
    try {
      campaign
          .listener(
              new CampaignListener() {
                @Override
                public void ended(RunRecord run, int done, int total) {
                  if (done == 3) {
                    deleteCache();
                  }
                }
              })
          .run();
    } catch (HiplabException e) {
      System.out.println("stopped: " + e.getMessage());
    }
    for (RunRecord run : campaign.listener(CampaignListener.SILENT).resume(true).run()) {
      System.out.println(run.form() + " " + run.run() + " " + run.outcome());
    }
  }

  private static void deleteCache() {
    try {
      Child.delete(Path.of(NativeLibrary.folder()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aRunThatCouldNotStartIsNoOutcomeAndResumingMakesTheCacheAgain() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dhiplab.cache=" + folder.resolve("cache"),
                "-cp",
                System.getProperty("java.class.path"),
                LostCacheTest.class.getName(),
                folder.resolve("out").toString())
            .redirectErrorStream(true)
            .start();
    try {
      process.getOutputStream().close();
      List<String> said = new String(process.getInputStream().readAllBytes()).lines().toList();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(said)
          .hasSize(1 + 2 * RUNS)
          .element(0)
          .asString()
          .startsWith("stopped: the child process for run 1 of test.Behaves FIXED")
          .contains("finish with --resume");
      assertThat(said.subList(1, said.size()))
          .containsExactly(
              "FILED 0 EXACT",
              "FIXED 0 EXACT",
              "FILED 1 EXACT",
              "FIXED 1 EXACT",
              "FILED 2 EXACT",
              "FIXED 2 EXACT");
    } finally {
      process.destroyForcibly();
    }
  }
}
