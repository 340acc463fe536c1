package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.Candidate;
import dev.hiplab.HiplabException;
import dev.hiplab.Timeline;
import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import dev.hiplab.Timeline.Lane;
import dev.hiplab.Timeline.LaneKind;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFolderTest {
  private static final List<RunRecord> RECORDS =
      List.of(
          Sample.run("FILED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 100),
          Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 120));

  @Test
  void writesTablesAndPlots(@TempDir Path folder) throws Exception {
    Path report = folder.resolve("a/b");
    assertThat(ReportFolder.write(report, RECORDS))
        .extracting(file -> file.getFileName().toString())
        .containsExactly(
            "runs.csv",
            "summary.csv",
            "summary.md",
            "outcomes.png",
            "outcomes.svg",
            "times.png",
            "times.svg",
            "report.html");
    assertThat(Files.readAllLines(report.resolve("runs.csv"))).hasSize(3);
    assertThat(Files.readString(report.resolve("summary.md")))
        .startsWith("a device · profile splitk · driver host · hiplab 0.1.0\n\n`blaslt.sh")
        .contains("| FILED | natural | 1 | 1 WRONG_RESULT | 1 expected | 100 | 10 |");
    assertThat(ImageIO.read(report.resolve("times.png").toFile()).getHeight()).isEqualTo(450);
  }

  @Test
  void aSurveyHasItsCandidatesAsATableAndAPlot(@TempDir Path folder) {
    RunRecord survey =
        Sample.counted(
            "survey.workspace", Map.of("bytes.f32 NN 8x8x8#0", 4096L, "bytes.f32 NN 8x8x8#1", 0L));
    ReportFolder.write(folder, List.of(survey));
    assertThat(folder.resolve("workspace.png")).exists();
    assertThat(folder.resolve("candidates.csv"))
        .content()
        .contains("f32 NN 8x8x8,0,4096,\n", "f32 NN 8x8x8,1,0,\n");
    assertThat(SurveyedCandidates.of(List.of(survey)).get("splitk"))
        .extracting(Candidate::workspaceBytes)
        .containsExactly(4096L, 0L);
    assertThat(folder.resolve("report.html")).content().contains("Workspace in bytes");
    assertThat(SurveyedCandidates.of(RECORDS)).isEmpty();
  }

  @Test
  void aTornTimelineCostsOnlyItsOwnLanes(@TempDir Path folder) throws Exception {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      runs.add(Sample.run("FILED", i, Outcome.WRONG_RESULT, Grade.EXPECTED, 100));
    }
    runs.add(Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 100));
    Path traces = Files.createDirectories(folder.resolve("traces"));
    String filed = Sample.SCENARIO + "-FILED-" + runs.get(0).way() + "-";
    Files.writeString(traces.resolve(filed + "0.jsonl"), "");
    Files.write(traces.resolve(filed + "1.jsonl"), new byte[] {-1, 0, -2});
    Files.writeString(traces.resolve(filed + "2.jsonl"), "{\"timeline\":1,\"runs\":\"dev");
    Lane lane = new Lane(LaneKind.THREAD, "A");
    Entry call = new Entry(lane, Kind.CALL, "rocblas_sgemm", 0, 9, "s", "s", 1);
    new Timeline(List.of(lane), List.of(call), "device steps", 0)
        .write(traces.resolve(filed + "3.jsonl"));
    CampaignResult campaign = new CampaignResult(runs, folder, runs.size());
    CampaignRuns all = new CampaignRuns("it", runs, List.of(), Map.of(), 0, List.of(campaign));
    List<String> leftOut = new ArrayList<>();
    assertThat(LanesReport.charts(campaign, leftOut::add)).containsOnlyKeys("FILED");
    assertThat(leftOut).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(leftOut.get(i))
          .startsWith("lanes left out: the timeline traces/" + filed + i + ".jsonl is torn");
    }
    Path report = folder.resolve("report");
    assertThat(ReportFolder.write(report, all)).contains(report.resolve("lanes-FILED.png"));
    assertThat(report.resolve("report.html"))
        .content()
        .contains("<p>lanes left out: the timeline traces/" + filed + "2.jsonl is torn")
        .contains("in one traced run of FILED");
  }

  @Test
  void halfOfASurrogatePairIsWrittenAsWhatCannotBeShown(@TempDir Path folder) throws Exception {
    String smile = "\ud83d\ude00";
    RunRecord run = Sample.run("FILED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 100);
    RunRecord half = run.withDetail("x\ud83d y\ude00 " + smile);
    ReportFolder.write(folder, List.of(half));
    for (String file : List.of("runs.csv", "summary.md")) {
      assertThat(Files.readString(folder.resolve(file)))
          .as(file)
          .contains("x\uFFFD y\uFFFD " + smile);
    }
    assertThat(folder.resolve("report.html")).content().contains(smile);
  }

  @Test
  void aFileIsNoFolder(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> ReportFolder.write(file, RECORDS))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining(file + " is a file; name a folder");
  }

  @Test
  void anEmptyListWritesNothing(@TempDir Path folder) {
    Path report = folder.resolve("none");
    assertThatThrownBy(() -> ReportFolder.write(report, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(report).doesNotExist();
  }
}
