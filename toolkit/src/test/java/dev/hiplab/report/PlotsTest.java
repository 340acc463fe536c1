package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.hiplab.Candidate;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;

class PlotsTest {
  private static List<RunRecord> runs() {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      boolean wrong = i % 5 != 0;
      Outcome outcome = wrong ? Outcome.WRONG_RESULT : Outcome.EXACT;
      runs.add(Sample.run("FILED", i, outcome, Grade.EXPECTED, 200 + i));
      runs.add(Sample.run("FIXED", i, Outcome.EXACT, Grade.EXPECTED, 210 + i));
    }
    return runs;
  }

  @Test
  void outcomePlotPaintsEachRunInTheColourOfItsOutcome() {
    BufferedImage image = Plots.image(OutcomePlot.of(runs()));
    assertThat(image.getWidth()).isEqualTo(900);
    assertThat(image.getHeight()).isEqualTo(450);
    double wrong = Pixels.of(image, OutcomeStyle.WRONG_RESULT.color);
    double exact = Pixels.of(image, OutcomeStyle.EXACT.color);
    assertThat(exact / wrong).isBetween(1.4, 1.6); // 24 cells and 16
    assertThat((double) Pixels.of(image, OutcomeStyle.CRASH.color)).isLessThan(wrong / 16);
  }

  @Test
  void outcomePlotHasASeriesAnOutcomeAndAPointARun() {
    XYChart chart = OutcomePlot.of(runs());
    assertThat(chart.getSeriesMap().keySet())
        .containsExactly("E  EXACT (24)", "W  WRONG_RESULT (16)");
    assertThat(chart.getSeriesMap().get("E  EXACT (24)").getXData()).hasSize(24);
  }

  @Test
  void everyOutcomeHasItsOwnColourAndLetter() {
    Set<Color> colours = new HashSet<>();
    Set<String> letters = new HashSet<>();
    for (Outcome outcome : Outcome.values()) {
      colours.add(OutcomeStyle.of(outcome).color);
      letters.add(OutcomeStyle.of(outcome).letter);
    }
    assertThat(colours).hasSameSizeAs(Outcome.values());
    assertThat(letters).hasSameSizeAs(Outcome.values());
  }

  @Test
  void residuePlotHasASeriesAProfileAndTypeAndABarARow() {
    RunRecord run =
        Sample.counted(
            "numerics.residue",
            Map.of(
                "off.[1,-1]",
                4096L,
                "residue.[1,-1]",
                -4L,
                "off.[8,-8]",
                4096L,
                "residue.[8,-8]",
                -32L,
                "off.[2]",
                0L,
                "residue.[2]",
                0L,
                "off.f16.[1,-1]",
                4096L,
                "residue.f16.[1,-1]",
                -4L));
    XYChart chart = ResiduePlot.of(List.of(run, run));
    assertThat(chart.getSeriesMap().keySet())
        .containsExactly("splitk bf16: 2 of 3 rows off", "splitk f16: 1 of 1 rows off");
    assertThat(chart.getStyler().getXAxisMax()).isEqualTo(3);
    // Eight times as long, and of the same width.
    BufferedImage image = Plots.image(chart);
    long bf16 = Pixels.of(image, WorkspaceBars.color(0));
    long f16 = Pixels.of(image, WorkspaceBars.color(1));
    assertThat((double) bf16 / f16).isBetween(7.0, 10.0);
    assertThatThrownBy(() -> ResiduePlot.of(runs()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none of 40 runs is of numerics.residue");
  }

  @Test
  void aForbiddenRunHasABlackBorder() {
    RunRecord fine = Sample.run("FIXED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 1);
    RunRecord against = Sample.run("FIXED", 0, Outcome.WRONG_RESULT, Grade.FORBIDDEN, 1);
    long without = Pixels.of(Plots.image(OutcomePlot.of(List.of(fine))), Color.BLACK);
    long with = Pixels.of(Plots.image(OutcomePlot.of(List.of(against))), Color.BLACK);
    assertThat(with).isGreaterThan(without + 1000);
  }

  @Test
  void runTimePlotDrawsEveryRunThatHasATime() {
    List<RunRecord> runs = new ArrayList<>(runs());
    runs.add(
        Sample.run(
            "gfx1151", "FILED", 0, Outcome.NOT_APPLICABLE, Grade.EXPECTED, 90, Double.NaN, ""));
    XYChart chart = RunTimePlot.of(runs);
    assertThat(chart.getSeriesMap().get("process, spawn to exit").getXData()).hasSize(41);
    assertThat(chart.getSeriesMap().get("workload inside it").getXData()).hasSize(40);
    assertThat(different(Plots.image(chart))).isGreaterThan(20);
  }

  @Test
  void runTimePlotOfRunsWithoutAnyTimeStillDraws() {
    RunRecord none =
        Sample.run("p", "FILED", 0, Outcome.HANG, Grade.EXPECTED, Double.NaN, Double.NaN, "no end");
    assertThat(Plots.image(RunTimePlot.of(List.of(none))).getWidth()).isEqualTo(900);
  }

  @Test
  void quartilesAreDrawnAndInTheTableOfTheSummary() {
    List<RunRecord> runs = new ArrayList<>();
    for (double wall : new double[] {100, 120, 140, 400}) {
      runs.add(Sample.run("FIXED", runs.size(), Outcome.EXACT, Grade.EXPECTED, wall));
    }
    FormSummary row = FormSummary.of(runs).get(0);
    assertThat(row.median(RunRecord::wallMillis)).isEqualTo(130);
    assertThat(row.quantile(RunRecord::wallMillis, 0.25)).isEqualTo(115);
    assertThat(row.quantile(RunRecord::wallMillis, 0.75)).isEqualTo(205);
    assertThat(Tables.csv(SummaryTable.of(runs)))
        .contains("median wall ms", "lower quartile wall ms")
        .contains(",130.0,13.0,115.0,205.0,11.5,20.5");
    assertThatThrownBy(() -> row.quantile(RunRecord::wallMillis, 1.5))
        .hasMessage("a quantile's share is 1.5; give one from 0 to 1");
  }

  /** Quartiles 300 and 800 about the median 400; tenths, say, would lie at 208 and 992. */
  @Test
  void theBoxOfRunTimesReachesFromQuartileToQuartile() {
    List<RunRecord> runs = new ArrayList<>();
    for (double wall : new double[] {200, 210, 300, 310, 400, 410, 800, 990, 1000}) {
      runs.add(
          Sample.run(
              "splitk", "FIXED", runs.size(), Outcome.EXACT, Grade.EXPECTED, wall, Double.NaN, ""));
    }
    List<Double> lines = Pixels.uprights(Plots.image(RunTimePlot.of(runs)), 40);
    assertThat(lines).hasSize(3);
    double above = lines.get(2) - lines.get(1);
    assertThat(above / (lines.get(1) - lines.get(0))).isCloseTo(4, within(0.2));
  }

  /** Throughputs of half FIXED's between the quartiles, overlaps of a tenth. */
  @Test
  void whiskersOfCostsReachFromQuartileToQuartile() {
    double[] throughput = {0.1, 0.11, 0.3, 0.31, 0.4, 0.41, 0.8, 0.99, 1};
    double[] overlap = {0.2, 0.3, 0.45, 0.5, 0.5, 0.5, 0.55, 1, 1};
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < overlap.length; i++) {
      long eight = Math.round(100_000 * throughput[i]);
      runs.add(Sample.cost("FIXED", 100_000, 100_000));
      runs.add(Sample.cost("LEASE_SYNC", eight, Math.round(eight / overlap[i])));
    }
    List<Integer> lines = Pixels.levels(Plots.image(CostPlot.of(runs)), 30);
    assertThat(lines).hasSize(2);
    assertThat((double) lines.get(0) / lines.get(1)).isCloseTo(5, within(0.3));
  }

  @Test
  void plotsOfRunsInThisProcessDoNotSpeakOfFreshOnes() {
    RunRecord here = Sample.inProcess("FIXED", 0);
    assertThat(OutcomePlot.of(List.of(here)).getTitle()).contains("outcome of each run in this");
    assertThat(RunTimePlot.of(List.of(here)).getSeriesMap().keySet())
        .noneMatch(name -> name.contains("spawn"));
    RunRecord fresh = Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 9);
    assertThat(OutcomePlot.of(List.of(fresh)).getTitle()).contains("outcome of each fresh process");
  }

  @Test
  void costPlotDrawsAFormAtHalfOfFixedsThroughputHalfAsLong() {
    List<RunRecord> runs =
        List.of(Sample.cost("FIXED", 1000, 500), Sample.cost("LEASE_SYNC", 500, 500));
    XYChart chart = CostPlot.of(runs);
    assertThat(chart.getSeriesMap().get("throughput / FIXED, 8 threads").getXData())
        .containsExactly(1.0, 0.5);
    assertThat(chart.getSeriesMap().get("overlap: 8 streams / 1").getXData())
        .containsExactly(2.0, 1.0);
    BufferedImage image = Plots.image(chart);
    double one = Pixels.of(image, new Color(0x0072B2));
    double alone = Pixels.of(Plots.image(CostPlot.of(runs.subList(0, 1))), new Color(0x0072B2));
    assertThat(one).isGreaterThan(1000);
    assertThat(alone).isGreaterThan(1000);
    assertThatThrownBy(() -> CostPlot.of(runs())).hasMessageStartingWith("There is no run to plot");
  }

  @Test
  void workspacePlotShowsZerosAndDrawsMoreBytesHigher() {
    Color colour = WorkspaceBars.color(0);
    BufferedImage small = Plots.image(WorkspacePlot.of(List.of(candidate(0, 32 << 10))));
    BufferedImage large = Plots.image(WorkspacePlot.of(List.of(candidate(0, 1 << 20))));
    BufferedImage none = Plots.image(WorkspacePlot.of(List.of(candidate(0, 0))));
    assertThat(top(large, colour)).isLessThan(top(small, colour) - 20);
    assertThat(top(none, colour)).isGreaterThan(top(small, colour) + 20).isLessThan(400);
  }

  @Test
  void aFigureWhoseDeviceNobodyGaveSaysSo() {
    assertThat(Origin.notGiven()).startsWith("device not given · hiplab ").contains(" · Java ");
  }

  @Test
  void emptyInputIsOneClearSentence() {
    assertThatThrownBy(() -> OutcomePlot.of(List.of()))
        .hasMessageStartingWith("There is no run to plot: the list of records is empty");
    assertThatThrownBy(() -> WorkspacePlot.of(List.of()))
        .hasMessageStartingWith("There is no candidate to plot");
  }

  @Test
  void filesAreWrittenAndSvgIsABareElement(@TempDir Path folder) throws Exception {
    XYChart chart = OutcomePlot.of(runs());
    Path png = Plots.png(chart, folder.resolve("deep/outcomes.png"));
    assertThat(ImageIO.read(png.toFile()).getWidth()).isEqualTo(900);
    assertThat(Plots.svg(chart)).startsWith("<svg").doesNotContain("<?xml", "<!DOCTYPE");
  }

  private static Candidate candidate(int index, long bytes) {
    return new Candidate("bf16 64x64x64 TN", index, bytes, 1, -1, "");
  }

  private static int top(BufferedImage image, Color colour) {
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        if ((image.getRGB(x, y) & 0xFFFFFF) == (colour.getRGB() & 0xFFFFFF)) {
          return y;
        }
      }
    }
    return Integer.MAX_VALUE;
  }

  private static int different(BufferedImage image) {
    Set<Integer> colours = new HashSet<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        colours.add(image.getRGB(x, y));
      }
    }
    return colours.size();
  }
}
