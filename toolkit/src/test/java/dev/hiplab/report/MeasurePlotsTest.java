package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.Backend;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Gemm;
import dev.hiplab.Matrix;
import dev.hiplab.Options;
import dev.hiplab.measure.Survey;
import dev.hiplab.measure.SurveyShapes;
import dev.hiplab.measure.Timing;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import tech.tablesaw.api.ColumnType;
import tech.tablesaw.api.Table;
import tech.tablesaw.io.csv.CsvReadOptions;

/** Every number on a plot is in the CSV that was written; read back by Tablesaw's reader. */
class MeasurePlotsTest {
  private Backend backend;
  private Device device;

  @TempDir Path folder;

  @BeforeEach
  void open() {
    backend = Backend.open(Options.defaults().withDriver("host").withProfile("splitk"));
    device = backend.device(0);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private Survey survey(String... shapes) {
    return Survey.on(device)
        .shapes(shapes)
        .budget(Duration.ofMillis(10))
        .out(folder.resolve("survey"))
        .run();
  }

  private static Table csv(Path file) {
    return Table.read()
        .usingOptions(
            CsvReadOptions.builder(file.toFile())
                .columnTypes(name -> ColumnType.STRING)
                .missingValueIndicator(""));
  }

  /** The cells of these columns, as numbers, rounded to what a logarithm and back keeps. */
  private static Set<Double> numbers(Table table, String... columns) {
    Set<Double> all = new HashSet<>();
    for (String column : columns) {
      table.stringColumn(column).asList().stream()
          .filter(cell -> !cell.isEmpty())
          .forEach(cell -> all.add(rounded(Double.parseDouble(cell))));
    }
    return all;
  }

  private static double rounded(double value) {
    return Double.parseDouble(String.format(java.util.Locale.ROOT, "%.8e", value));
  }

  private static double[] read(double[] series, DoubleUnaryOperator value) {
    return Arrays.stream(series).map(value).map(MeasurePlotsTest::rounded).toArray();
  }

  @Test
  void everyNumberOfASurveysPlotsIsInItsCsv() {
    Survey survey = survey("bf16 64x64x256 NT", "f32 32x32x32 NN", "f8 8x8x8 NN");
    Table csv = csv(survey.csv());
    XYChart times = SurveyTimePlot.of(survey);
    assertThat(times.getSeriesMap().keySet())
        .containsExactly(
            "median, quartile to quartile",
            "lower quartile",
            "upper quartile",
            "as fast as the fastest, within the spread",
            "ring: the heuristic's first");
    for (Map.Entry<String, XYSeries> series : times.getSeriesMap().entrySet()) {
      String column =
          switch (series.getKey()) {
            case "lower quartile" -> "us_lower_quartile";
            case "upper quartile" -> "us_upper_quartile";
            default -> "us";
          };
      for (double value : read(series.getValue().getYData(), y -> Math.pow(10, y))) {
        assertThat(numbers(csv, column)).as(series.getKey()).contains(value);
      }
    }
    assertThat(times.getSeriesMap().get("median, quartile to quartile").getYData()).hasSize(16);
    assertThat(times.getSeriesMap().get("as fast as the fastest, within the spread").getYData())
        .hasSize(
            survey.shapes().values().stream()
                .map(Fastest::of)
                .filter(Objects::nonNull)
                .mapToInt(fastest -> fastest.level().size())
                .sum());

    XYChart workspace = WorkspacePlot.of(survey);
    for (XYSeries series : workspace.getSeriesMap().values()) {
      double[] bytes = read(series.getYData(), y -> y == 0 ? 0 : Math.pow(2, y));
      assertThat(bytes).hasSize(16).contains(65536, 131072, 0);
      for (double value : bytes) {
        assertThat(numbers(csv, "workspace_bytes")).contains(value);
      }
    }
  }

  @Test
  void everyNumberOfAHistogramIsInItsCsv() {
    Matrix a = device.matrix(DType.F32, 32, 32, new float[1024]);
    Matrix c = device.empty(DType.F32, 32, 32);
    Timing timing =
        Timing.on(device)
            .arm("gemm", Gemm.NN, a, a, c)
            .arm("nothing, \"really\"", on -> {})
            .repetitions(30)
            .run();
    Table csv = csv(timing.csv(folder.resolve("timing.csv")));
    XYChart chart = TimingPlot.of(timing);
    boolean log = chart.getXAxisTitle().contains("log");
    for (Map.Entry<String, XYSeries> series : chart.getSeriesMap().entrySet()) {
      Table arm = csv.where(csv.stringColumn("arm").isEqualTo(series.getKey()));
      Table counted = arm.where(arm.stringColumn("warm_up").isEqualTo("false"));
      assertThat(counted.rowCount()).isEqualTo(30);
      double[] shown = read(series.getValue().getXData(), x -> log ? Math.pow(10, x) : x);
      assertThat(shown).hasSize(30);
      for (double value : shown) {
        assertThat(numbers(counted, "device_ms")).as(series.getKey()).contains(value);
      }
    }
  }

  /** 0 to 9 in bins of a width: each value in one, none lost, edges in the upper one. */
  @Test
  void binsHoldEverySampleOnce() {
    TimingPlot.Axis axis = new TimingPlot.Axis(false, 0, 60);
    assertThat(axis.width()).isEqualTo(1);
    int[] counts = axis.counts(new double[] {0, 0.5, 1, 1.5, 59.9, 60, 200});
    assertThat(counts).startsWith(2, 2, 0).endsWith(0, 3);
    assertThat(Arrays.stream(counts).sum()).isEqualTo(7);
    TimingPlot.Axis log = new TimingPlot.Axis(true, -3, 3);
    assertThat(log.counts(new double[] {0.0011, 900})[0]).isEqualTo(1);
    assertThat(log.counts(new double[] {0.0011, 900})[59]).isEqualTo(1);
  }

  @Test
  void aSurveyAndATimingRenderAsTableAndPicture() {
    Survey survey = survey("bf16 16x16x64 NT");
    Map<String, Object> rich = Renderings.of(survey);
    assertThat((String) rich.get("text/html"))
        .contains("8 exact", "bf16 16x16x64 NT", "workspace bytes", "data:image/png;base64,");
    assertThat((String) rich.get("text/plain")).contains("candidate", "exact (256)");
    Timing timing = Timing.on(device).arm("a<b", on -> {}).repetitions(9).run();
    Map<String, Object> timed = Renderings.of(timing);
    assertThat((String) timed.get("text/html"))
        .contains("a&lt;b", "median ms", "data:image/png;base64,")
        .doesNotContain("<td style=\"text-align:left\">a<b");
    assertThat(timed.get("text/plain")).isEqualTo(timing.toString());
    assertThat(TimingTable.of(timing).column("repetitions").get(0)).isEqualTo(9);
  }

  @Test
  void heuristicsAloneHaveTablesAndNoPlotOfTimes() {
    Survey survey =
        Survey.on(device).problems(SurveyShapes.all()).time(false).out(folder.resolve("s")).run();
    assertThat(SurveyTable.of(survey).columnNames())
        .containsExactly("shape", "candidate", "workspace bytes", "waves", "verdict");
    Table shapes = SurveyTable.byShape(survey);
    assertThat(shapes.rowCount()).isEqualTo(15);
    assertThat(shapes.columnNames()).doesNotContain("fastest");
    assertThat(shapes.intColumn("candidates").asList()).containsOnly(8);
    assertThat(shapes.stringColumn("verdicts").asList()).containsOnly("8 not run");
    assertThatThrownBy(() -> SurveyTimePlot.of(survey))
        .hasMessageStartingWith("There is no time to plot");
    assertThat(SurveyFolderReport.write(survey))
        .hasSize(1)
        .first()
        .satisfies(file -> assertThat(file).hasFileName("workspace.png").isNotEmptyFile());
  }

  @Test
  void theFastestIsTheOneWithTheSmallestMedian() {
    Survey survey = survey("f32 32x32x32 NN");
    Fastest fastest = Fastest.of(survey.rows());
    assertThat(survey.rows())
        .allSatisfy(
            row ->
                assertThat(row.times().median())
                    .isBetween(
                        fastest.row().times().median(),
                        fastest.row().times().median() * fastest.slowest() * (1 + 1e-12)));
    assertThat(fastest.first()).isGreaterThanOrEqualTo(1);
    double limit = fastest.row().times().upperQuartile();
    assertThat(fastest.level())
        .contains(fastest.row())
        .allMatch(row -> row.times().lowerQuartile() <= limit);
    assertThat(survey.rows())
        .filteredOn(row -> !fastest.level().contains(row))
        .allMatch(row -> row.times().lowerQuartile() > limit);
    Table shape = SurveyTable.byShape(survey);
    assertThat(shape.intColumn("as fast").get(0)).isEqualTo(fastest.level().size());
    // What a table prints itself is rounded, what it holds is not.
    double us = survey.rows().get(0).times().median();
    assertThat(SurveyTable.of(survey).print()).contains(Tables.rounded(us));
    assertThat(SurveyTable.of(survey).doubleColumn("us").get(0)).isEqualTo(us);
    assertThat(SurveyTable.of(survey).doubleColumn("us").getString(0))
        .isEqualTo(Tables.rounded(us));
    assertThat(Fastest.of(List.of())).isNull();
    BufferedImage image = Plots.image(SurveyTimePlot.of(survey));
    assertThat(Pixels.of(image, new java.awt.Color(0x009E73))).isPositive();
    assertThat(Pixels.of(image, new java.awt.Color(0xE69F00))).isPositive();
  }
}
