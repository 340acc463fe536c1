package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;

class LanesPlotTest {
  private static final Lane A = new Lane(LaneKind.THREAD, "A");
  private static final Lane ONE = new Lane(LaneKind.STREAM, "stream 1");
  private static final Lane TWO = new Lane(LaneKind.STREAM, "stream 2");
  private static final RunRecord RUN =
      Sample.run("FILED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 1);

  private static Entry call(long begin, String ran, String asked, int number) {
    return new Entry(A, Kind.CALL, "rocblas_sgemm", begin, begin + 100_000, ran, asked, number);
  }

  private static Entry run(Lane lane, long begin, int call) {
    return new Entry(
        lane, Kind.RUN, "rocblas_sgemm", begin, begin + 500_000, lane.name(), lane.name(), call);
  }

  private static Entry point(long at, String name) {
    return new Entry(A, Kind.POINT, name, at, at, "", "", 0);
  }

  private static Timeline timeline(Entry... entries) {
    return new Timeline(List.of(A, ONE, TWO), List.of(entries), "device steps", 0);
  }

  private static Timeline ordinary() {
    return timeline(
        call(0, "stream 1", "stream 1", 1),
        point(120_000, "work.enqueued"),
        run(ONE, 200_000, 1),
        call(300_000, "stream 2", "stream 2", 2),
        run(TWO, 450_000, 2));
  }

  @Test
  void callsAndRunsAreBarsInTheColourOfTheirKind() {
    XYChart chart = LanesPlot.of(RUN, ordinary());
    assertThat(chart.getSeriesMap().keySet())
        .containsExactly("G  GEMM (2 calls, 2 runs)", "◆  point (1)");
    assertThat(chart.getTitle()).isEqualTo("blaslt.shared-workspace FILED, run 0: WRONG_RESULT");
    BufferedImage image = Plots.image(chart);
    long four = Pixels.of(image, LaneStyle.GEMM.color);
    // Two runs of 0.5 ms and two calls of 0.1 ms on some 700 pixels for 1 ms.
    assertThat(four).isGreaterThan(8_000);
    assertThat(Pixels.of(image, ChartFrame.ALARM)).isZero();
  }

  @Test
  void aWindowShowsWhatIsInIt() {
    XYChart chart = LanesPlot.of(RUN, ordinary(), 0.72, 0.9);
    assertThat(chart.getSeriesMap().keySet()).containsExactly("G  GEMM (0 calls, 1 run)");
    assertThatThrownBy(() -> LanesPlot.of(RUN, ordinary(), 2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The window is 2.0 to 1.0 ms; it begins at 0 or later and ends after it begins.");
  }

  @Test
  void workOnAnotherStreamThanAskedIsFramedAndTheAskedStreamHasALane() {
    Timeline timeline = timeline(call(0, "stream 2", "stream 1", 1), run(TWO, 200_000, 1));
    XYChart chart = LanesPlot.of(RUN, timeline);
    assertThat(chart.getSeriesMap()).containsKey("!  not on the stream asked (1)");
    assertThat(Pixels.of(Plots.image(chart), ChartFrame.ALARM)).isGreaterThan(200);
  }

  @Test
  void namesOfPointsCrossNeitherEachOtherNorTheirLines() {
    List<Entry> points = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      points.add(point(i * 10_000, i % 2 == 0 ? "rocblas.rebind.done" : "rocblas.rebind.next"));
    }
    LaneRow row = new LaneRow(A, points, Set.of());
    int[] rows = row.nameRows(nanos -> nanos / 1e4 * 20); // 20 pixels apart, names are wider
    double width = LaneRow.width("rocblas.rebind.done");
    for (int i = 0; i < 8; i++) {
      for (int j = i + 1; j < 8; j++) {
        if (20 * (j - i) < width) {
          assertThat(rows[i]).isGreaterThan(rows[j]);
        }
      }
    }
    for (int i = 8; i <= LaneRow.NAMED_POINTS; i++) {
      points.add(point(i * 10_000, "rocblas.rebind.done"));
    }
    assertThat(new LaneRow(A, points, Set.of()).named()).isEmpty();
  }

  @Test
  void ofAFormTheFirstRunThatFailedIsDrawnAndElseTheFirst(@TempDir Path folder) {
    List<RunRecord> runs =
        List.of(
            Sample.run("FILED", 0, Outcome.EXACT, Grade.INTERESTING, 9),
            Sample.run("FILED", 1, Outcome.WRONG_RESULT, Grade.EXPECTED, 9),
            Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 9));
    for (RunRecord run : runs) {
      String name = run.scenario() + "-" + run.form() + "-natural-" + run.run() + ".jsonl";
      ordinary().write(folder.resolve("traces").resolve(name));
    }
    CampaignResult result = new CampaignResult(runs, folder, runs.size());
    assertThat(LanesPlot.of(result, "FILED").getTitle()).contains("FILED, run 1: WRONG_RESULT");
    assertThat(LanesPlot.of(result, "FIXED").getTitle()).contains("FIXED, run 0: EXACT");
    assertThatThrownBy(() -> LanesPlot.of(result, "NOPE"))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("no run of form NOPE");
    assertThatThrownBy(() -> LanesPlot.of(RUN, null)).isInstanceOf(HiplabException.class);
  }

  @Test
  void aPointThatIsPassedAgainAndAgainIsNamedOnce() {
    List<Entry> points =
        List.of(point(1, "work.enqueued"), point(2, "work.enqueued"), point(3, "work.end"));
    assertThat(new LaneRow(A, points, Set.of()).named())
        .extracting(Entry::label)
        .containsExactly("work.enqueued", "work.end");
  }

  @Test
  void theWindowOfAForcedRunHasTheRunOfWhatAThreadEnqueuesNext() {
    Timeline timeline =
        timeline(
            point(5_000_000, "x"),
            point(5_100_000, "y"),
            call(5_500_000, "stream 1", "stream 1", 1),
            run(ONE, 8_000_000, 1),
            call(20_000_000, "stream 1", "stream 1", 2),
            run(ONE, 30_000_000, 2));
    LaneWindow forced = LaneWindow.of(timeline, "order A:x -> A:y");
    assertThat(forced.to()).isBetween(8_400_000L, 9_000_000L);
  }

  @Test
  void theWindowOfAForcedRunIsAroundThePointsOfItsSchedule() {
    Timeline timeline =
        timeline(
            call(0, "stream 1", "stream 1", 1),
            point(5_000_000, "x"),
            point(5_100_000, "y"),
            point(9_000_000, "z"));
    LaneWindow forced = LaneWindow.of(timeline, "order A:x -> A:y");
    assertThat(forced.from()).isBetween(4_900_000L, 5_000_000L);
    assertThat(forced.to()).isBetween(5_100_000L, 5_200_000L);
    assertThat(LaneWindow.of(timeline, "").to()).isLessThan(1_000_000);
    assertThat(LaneWindow.of(timeline, "order A:never -> B:never"))
        .isEqualTo(LaneWindow.of(timeline, ""));
  }

  @Test
  void anEmptyTimelineIsAnEmptyPlot() {
    assertThat(Plots.image(LanesPlot.of(RUN, timeline())).getWidth()).isEqualTo(900);
  }

  @Test
  void everyKindHasItsOwnColourAndLetter() {
    Set<Color> colours = new HashSet<>();
    Set<String> letters = new HashSet<>();
    for (LaneStyle style : LaneStyle.values()) {
      colours.add(style.color);
      letters.add(style.letter);
    }
    assertThat(colours).hasSameSizeAs(LaneStyle.values());
    assertThat(letters).hasSameSizeAs(LaneStyle.values());
    assertThat(Plots.svg(LanesPlot.of(RUN, ordinary()))).startsWith("<svg");
  }
}
