package dev.hiplab.report;

import dev.hiplab.Candidate;
import dev.hiplab.measure.Survey;
import dev.hiplab.measure.SurveyRow;
import dev.hiplab.report.SurveyDots.Dot;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

/**
 * Device time of one GEMM by each candidate of a survey: a dot at the median, a whisker from
 * quartile to quartile, grouped by shape, on a logarithmic axis of microseconds. The heuristic's
 * first has a ring, the fastest that is right and all that are as fast within the spread ({@link
 * SurveyTable#byShape}) have another colour, a wrong one is crossed out. Every value of a series is
 * the decimal logarithm of a number in {@code survey.csv}.
 */
public final class SurveyTimePlot {
  private static final int HEIGHT = 520;

  /** Pixels for the labels of the axis of times. */
  private static final int ROOM_LEFT = 62;

  private SurveyTimePlot() {}

  /**
   * Draws it.
   *
   * @throws IllegalArgumentException when no candidate was timed
   */
  public static XYChart of(Survey survey) {
    List<Candidate> candidates = survey.candidates();
    List<Dot> dots = new ArrayList<>();
    if (!candidates.isEmpty()) {
      WorkspacePlot.Columns columns = WorkspacePlot.Columns.of(candidates, 1);
      for (List<SurveyRow> rows : survey.shapes().values()) {
        Fastest fastest = Fastest.of(rows);
        rows.stream()
            .filter(row -> row.times().lowerQuartile() > 0) // else it has no logarithm
            .map(row -> new Dot(row, columns.x(shape(row), row.candidate(), 0), is(fastest, row)))
            .forEach(dots::add);
      }
      if (!dots.isEmpty()) {
        return of(survey, columns, dots);
      }
    }
    throw new IllegalArgumentException(
        "There is no time to plot: no candidate of the survey was timed; survey with time(true), or"
            + " see the reasons in its rows.");
  }

  private static String shape(SurveyRow row) {
    return row.problem().label();
  }

  private static boolean is(Fastest fastest, SurveyRow row) {
    return fastest != null && fastest.level().contains(row);
  }

  private static XYChart of(Survey survey, WorkspacePlot.Columns columns, List<Dot> dots) {
    XYChart chart =
        ChartFrame.create(
            "Time of each candidate: median and quartiles",
            Origin.of(survey.place()),
            "",
            "microseconds of the device (log axis)",
            HEIGHT);
    double min = extreme(dots, row -> Math.min(row.times().lowerQuartile(), row.times().median()));
    double max =
        -extreme(dots, row -> 1 / Math.max(row.times().upperQuartile(), row.times().median()));
    double pad = Math.max(0.1, (max - min) * 0.08);
    double range = max - min + 2 * pad;
    double bottom = min - pad - range * 0.16;
    double top = max + pad + range * (columns.uprightNames() ? 0.62 : 0.2);
    chart.getStyler().setXAxisMin(0.0).setXAxisMax(columns.width());
    chart.getStyler().setYAxisMin(bottom).setYAxisMax(top);
    chart.getStyler().setAxisTitlePadding(ROOM_LEFT);
    chart.addAnnotation(Ticks.leftLog10(min - pad, max + pad));
    SurveyDots layer = new SurveyDots(dots, min - pad);
    series(chart, layer, "median, quartile to quartile", SurveyDots.PLAIN, dots, t -> t.median());
    quartile(
        series(chart, layer, "lower quartile", SurveyDots.PLAIN, dots, t -> t.lowerQuartile()));
    quartile(
        series(chart, layer, "upper quartile", SurveyDots.PLAIN, dots, t -> t.upperQuartile()));
    List<Dot> fastest = dots.stream().filter(Dot::fastest).toList();
    if (!fastest.isEmpty()) {
      series(
          chart,
          layer,
          "as fast as the fastest, within the spread",
          SurveyDots.FASTEST,
          fastest,
          t -> t.median());
    }
    List<Dot> first = dots.stream().filter(dot -> dot.row().candidate() == 0).toList();
    if (!first.isEmpty()) {
      series(chart, layer, "ring: the heuristic's first", SurveyDots.FIRST, first, t -> t.median());
    }
    List<Dot> wrong = dots.stream().filter(SurveyDots::isWrong).toList();
    if (!wrong.isEmpty()) {
      series(chart, layer, "crossed out: wrong", ChartFrame.ALARM, wrong, t -> t.median());
    }
    chart.addAnnotation(new ShapeNames(columns));
    chart.addAnnotation(layer);
    return chart;
  }

  private static double extreme(List<Dot> dots, ToDoubleFunction<SurveyRow> value) {
    return dots.stream()
        .mapToDouble(dot -> Math.log10(value.applyAsDouble(dot.row())))
        .min()
        .orElseThrow();
  }

  private static XYSeries series(
      XYChart chart,
      Layer layer,
      String name,
      Color color,
      List<Dot> dots,
      ToDoubleFunction<SurveyRow.Times> micros) {
    double[] x = dots.stream().mapToDouble(Dot::x).toArray();
    double[] y =
        dots.stream()
            .mapToDouble(dot -> Math.log10(micros.applyAsDouble(dot.row().times())))
            .toArray();
    XYSeries series = chart.addSeries(name, x, y);
    ChartFrame.drawnBy(layer, series, color);
    return series;
  }

  private static void quartile(XYSeries series) {
    series.setShowInLegend(false);
  }
}
