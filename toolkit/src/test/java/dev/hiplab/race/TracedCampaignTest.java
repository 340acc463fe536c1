package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Timeline;
import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import dev.hiplab.report.LanesReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracedCampaignTest {
  @TempDir Path folder;

  /** Ends with an exception. */
  public static final class Throws extends Misbehaving {
    @Override
    void end() {
      throw new IllegalStateException("on purpose");
    }
  }

  private Campaign.Builder rebind() {
    return Campaign.of("rocblas.stream-rebind").ways("forced").runs(1).driver("host");
  }

  @Test
  void aFiledGemmRunsOnAnotherStreamThanAskedAndAFixedOneDoesNot() {
    CampaignResult result = rebind().forms("FILED", "FIXED").trace(true).out(folder).run();
    for (RunRecord run : result) {
      Timeline timeline = result.timeline(run).orElseThrow();
      List<Entry> elsewhere =
          timeline.of(Kind.CALL, "rocblas_sgemm").stream().filter(Entry::onAnotherStream).toList();
      assertThat(elsewhere).hasSize(run.form().equals("FILED") ? 1 : 0);
      assertThat(run.environment()).containsEntry("trace", "on");
      assertThat(run.command()).endsWith(" --trace");
      for (Entry call : elsewhere) {
        assertThat(timeline.of(Kind.RUN))
            .anySatisfy(
                ran -> {
                  assertThat(ran.call()).isEqualTo(call.call());
                  assertThat(ran.lane().name()).isNotEqualTo(call.asked());
                });
      }
      assertThat(timeline.lanes().stream().map(Timeline.Lane::name)).contains("A", "B");
      assertThat(timeline.of(Kind.POINT, "rocblas.rebind.done")).isNotEmpty();
      // A binds too: what B's rebind takes away from it is a binding of its own.
      assertThat(timeline.of(Kind.CALL, "rocblas_set_stream"))
          .extracting(call -> call.lane().name())
          .contains("A", "B");
    }
    assertThat(CampaignSettings.in(folder).trace()).isTrue();
    assertThat(LanesReport.write(folder.resolve("report"), result))
        .extracting(file -> file.getFileName().toString())
        .containsExactly("lanes-FILED.png", "lanes-FIXED.png");
    CampaignResult byLog = new CampaignResult(result.records(), folder.resolve(RunLog.FILE), 2);
    assertThat(byLog.timeline(byLog.records().get(0))).isPresent();
  }

  @Test
  void withoutATraceThereIsNoFileAndTheRecordDoesNotSpeakOfIt() throws Exception {
    CampaignResult result = rebind().forms("FIXED").out(folder).run();
    RunRecord run = result.records().get(0);
    assertThat(result.timeline(run)).isEmpty();
    assertThat(run.environment()).doesNotContainKey("trace");
    assertThat(run.command()).doesNotContain("--trace");
    assertThat(Files.exists(folder.resolve(Traces.FOLDER))).isFalse();
    assertThat(LanesReport.write(folder, result)).isEmpty();
  }

  @Test
  void aCrashLeavesNoTimelineAndAnErrorDoes() {
    CampaignResult crashed =
        Campaign.of(Misbehaving.Segfaults.class)
            .runs(1)
            .driver("host")
            .trace(true)
            .out(folder.resolve("crash"))
            .run();
    assertThat(crashed.timeline(crashed.records().get(0))).isEmpty();
    CampaignResult threw =
        Campaign.of(Throws.class)
            .runs(1)
            .driver("host")
            .trace(true)
            .out(folder.resolve("error"))
            .run();
    assertThat(threw.timeline(threw.records().get(0))).isPresent();
  }

  @Test
  void theNameOfAFileHasNoOddCharacters() {
    assertThat(Traces.file(folder, "my scenario/ü", "FILED", "forced:leak", 3))
        .isEqualTo(folder.resolve("traces/my_scenario__-FILED-forced_leak-3.jsonl"));
  }
}
