package dev.hiplab.report;

import dev.hiplab.Candidate;
import dev.hiplab.measure.Survey;
import dev.hiplab.measure.SurveyRow;
import dev.hiplab.measure.Verdict;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

/**
 * Device time of one GEMM by each candidate of a survey: a dot at the median, a whisker from
 * quartile to quartile, grouped by shape, on a logarithmic axis of microseconds. The heuristic's
 * first has a ring, the fastest is filled with another colour, a wrong one is crossed out. Every
 * value of a series is the decimal logarithm of a number in {@code survey.csv}.
 */
public final class SurveyTimePlot {
  private static final Color PLAIN = new Color(0x0072B2);
  private static final Color FASTEST = new Color(0x009E73);
  private static final Color FIRST = new Color(0xE69F00);
  private static final int HEIGHT = 520;

  /** Pixels for the labels of the axis of times. */
  private static final int ROOM_LEFT = 62;

  private record Dot(SurveyRow row, double x, boolean fastest) {}

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
            .filter(row -> row.times().repetitions() > 0)
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
    return fastest != null && fastest.row() == row;
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
    Dots layer = new Dots(dots, min - pad);
    series(chart, layer, "median, quartile to quartile", PLAIN, dots, t -> t.median());
    quartile(series(chart, layer, "lower quartile", PLAIN, dots, t -> t.lowerQuartile()));
    quartile(series(chart, layer, "upper quartile", PLAIN, dots, t -> t.upperQuartile()));
    List<Dot> fastest = dots.stream().filter(Dot::fastest).toList();
    if (!fastest.isEmpty()) {
      series(chart, layer, "the fastest that is right", FASTEST, fastest, t -> t.median());
    }
    List<Dot> first = dots.stream().filter(dot -> dot.row.candidate() == 0).toList();
    if (!first.isEmpty()) {
      series(chart, layer, "ring: the heuristic's first", FIRST, first, t -> t.median());
    }
    List<Dot> wrong = dots.stream().filter(Dots::isWrong).toList();
    if (!wrong.isEmpty()) {
      series(chart, layer, "crossed out: wrong", ChartFrame.ALARM, wrong, t -> t.median());
    }
    chart.addAnnotation(new ShapeNames(columns));
    chart.addAnnotation(layer);
    return chart;
  }

  private static double extreme(List<Dot> dots, ToDoubleFunction<SurveyRow> value) {
    return dots.stream()
        .mapToDouble(dot -> Math.log10(value.applyAsDouble(dot.row)))
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
            .mapToDouble(dot -> Math.log10(micros.applyAsDouble(dot.row.times())))
            .toArray();
    XYSeries series = chart.addSeries(name, x, y);
    ChartFrame.drawnBy(layer, series, color);
    return series;
  }

  private static void quartile(XYSeries series) {
    series.setShowInLegend(false);
  }

  private static final class Dots extends Layer {
    private final List<Dot> dots;
    private final double base;

    Dots(List<Dot> dots, double base) {
      this.dots = dots;
      this.base = base;
    }

    static boolean isWrong(Dot dot) {
      return dot.row.verdict() == Verdict.WRONG;
    }

    @Override
    void draw(Graphics2D g) {
      double zero = y(base);
      double step = x(1) - x(0);
      g.setColor(ChartFrame.PALE);
      g.setStroke(new BasicStroke(1));
      g.draw(new Line2D.Double(left(), zero, right(), zero));
      centered(
          g,
          "candidate, by its place in the heuristic's list",
          (left() + right()) / 2,
          zero + 34,
          ChartFrame.PLAIN,
          ChartFrame.INK);
      double size = Math.max(4, Math.min(9, step * 0.7));
      for (Dot dot : dots) {
        dot(g, dot, size);
        if (step >= 8) {
          String index = String.valueOf(dot.row.candidate());
          centered(g, index, x(dot.x), zero + 15, ShapeNames.SMALL, ChartFrame.PALE);
        }
      }
    }

    private void dot(Graphics2D g, Dot dot, double size) {
      double x = x(dot.x);
      double y = y(Math.log10(dot.row.times().median()));
      double low = y(Math.log10(dot.row.times().lowerQuartile()));
      double high = y(Math.log10(dot.row.times().upperQuartile()));
      g.setColor(dot.fastest ? FASTEST : PLAIN);
      g.setStroke(new BasicStroke(1.5f));
      g.draw(new Line2D.Double(x, low, x, high));
      double half = size / 3;
      g.draw(new Line2D.Double(x - half, low, x + half, low));
      g.draw(new Line2D.Double(x - half, high, x + half, high));
      g.fill(new Ellipse2D.Double(x - size / 2, y - size / 2, size, size));
      if (dot.row.candidate() == 0) {
        double ring = size + 6;
        g.setColor(FIRST);
        g.setStroke(new BasicStroke(2));
        g.draw(new Ellipse2D.Double(x - ring / 2, y - ring / 2, ring, ring));
      }
      if (isWrong(dot)) {
        double arm = size / 2 + 3;
        g.setColor(ChartFrame.ALARM);
        g.setStroke(new BasicStroke(2.5f));
        g.draw(new Line2D.Double(x - arm, y - arm, x + arm, y + arm));
        g.draw(new Line2D.Double(x - arm, y + arm, x + arm, y - arm));
      }
    }
  }
}
