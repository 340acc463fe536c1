package dev.hiplab.report;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.InProcess;
import dev.hiplab.race.RunRecord;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How long runs took: a band per form with a dot a run, for the process (spawn to exit) and for the
 * workload inside it, a box from quartile to quartile and a line at each median. Milliseconds.
 */
public final class RunTimePlot {
  /** Beyond this ratio of largest to smallest, a linear axis would hide the small ones. */
  private static final double LOG_FROM_RATIO = 8;

  /** Quartiles of fewer runs say nothing that the dots do not. */
  private static final int FEWEST_FOR_A_BOX = 4;

  private static final Measure WALL =
      new Measure(
          "process, spawn to exit", "process", new Color(0x0072B2), 0.28, RunRecord::wallMillis);
  private static final Measure WORK =
      new Measure(
          "workload inside it", "workload", new Color(0xE69F00), 0.74, RunRecord::workMillis);
  private static final List<Measure> MEASURES = List.of(WALL, WORK);

  /** What is timed; {@code lane} is its middle within the dots' part of a band (0 to 1). */
  private record Measure(
      String name, String word, Color color, double lane, ToDoubleFunction<RunRecord> millis) {}

  private RunTimePlot() {}

  /** At least one record; runs without a time (NaN) have no dot. */
  public static XYChart of(List<RunRecord> records) {
    List<FormSummary> groups = FormSummary.of(Records.some(records));
    double[] times =
        records.stream()
            .flatMapToDouble(run -> MEASURES.stream().mapToDouble(m -> m.millis.applyAsDouble(run)))
            .filter(time -> Double.isFinite(time) && time > 0)
            .sorted()
            .toArray();
    boolean log = times.length > 0 && times[times.length - 1] / times[0] > LOG_FROM_RATIO;
    XYChart chart =
        ChartFrame.create(
            Records.title(records, "time of each run, median and quartiles"),
            Origin.of(records),
            "milliseconds" + (log ? " (log axis)" : ""),
            "",
            ChartFrame.height(groups.size()));
    double largest = times.length == 0 ? 1 : times[times.length - 1];
    double min = log ? log10(times[0]) - 0.1 : 0.0;
    double max = log ? log10(largest) + 0.1 : largest * 1.08;
    chart.getStyler().setXAxisMin(min).setXAxisMax(max);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax((double) groups.size());
    chart.getStyler().setMarkerSize(8);
    for (Measure measure : MEASURES) {
      addSeries(chart, groups, measure, log);
    }
    chart.addAnnotation(log ? Ticks.log10(min, max) : Ticks.linear(max));
    chart.addAnnotation(new Bands(groups, log));
    return chart;
  }

  private static void addSeries(
      XYChart chart, List<FormSummary> groups, Measure measure, boolean log) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int row = 0; row < groups.size(); row++) {
      List<RunRecord> runs = groups.get(row).records();
      for (int i = 0; i < runs.size(); i++) {
        double time = measure.millis.applyAsDouble(runs.get(i));
        if (Double.isFinite(time) && time > 0) {
          x.add(log ? log10(time) : time);
          y.add(groups.size() - row - place(measure.lane + spread(i), groups.size()));
        }
      }
    }
    if (!x.isEmpty()) {
      boolean inProcess = groups.stream().allMatch(RunTimePlot::inProcess);
      String name = measure == WALL && inProcess ? "run, backend opened to closed" : measure.name;
      XYSeries series = chart.addSeries(name, x, y);
      series.setMarker(SeriesMarkers.CIRCLE);
      series.setMarkerColor(
          new Color(
              measure.color.getRed(), measure.color.getGreen(), measure.color.getBlue(), 170));
    }
  }

  private static boolean inProcess(FormSummary group) {
    return group.records().stream().allMatch(InProcess::made);
  }

  /** Moves dots of equal times apart, the same way in every drawing. */
  private static double spread(int run) {
    return ((run * 7 + 5) % 11 - 5) / 11.0 * 0.36;
  }

  /** From a place in the dots' part of a band to one in the band, which has a headline on top. */
  private static double place(double lane, int bands) {
    double headline = Math.min(0.4, bands * 24.0 / ChartFrame.plotHeight(bands));
    return headline + (1 - headline) * lane;
  }

  private static double log10(double value) {
    return Math.log10(value);
  }

  private static String millis(double time) {
    return time >= 100
        ? String.format(Locale.ROOT, "%.0f ms", time)
        : String.format(Locale.ROOT, "%.1f ms", time);
  }

  private static final class Bands extends Layer {
    private final List<FormSummary> groups;
    private final boolean log;

    Bands(List<FormSummary> groups, boolean log) {
      this.groups = groups;
      this.log = log;
    }

    @Override
    void draw(Graphics2D g) {
      for (int row = 0; row < groups.size(); row++) {
        FormSummary group = groups.get(row);
        double bandTop = y(groups.size() - row);
        double bandBottom = y(groups.size() - row - 1);
        if (row > 0) {
          g.setColor(new Color(0xCCCCCC));
          g.setStroke(new BasicStroke(1));
          g.draw(new Line2D.Double(left(), bandTop, right(), bandTop));
        }
        headline(g, group, bandTop + 16);
        for (Measure measure : MEASURES) {
          spread(g, group, measure, bandTop, bandBottom - bandTop);
        }
      }
    }

    private void headline(Graphics2D g, FormSummary group, double baseLine) {
      String label = Labels.of(group, groups);
      text(g, label, left() + 2, baseLine, ChartFrame.BOLD, ChartFrame.INK);
      double after = left() + 2 + width(g, label, ChartFrame.BOLD) + 12;
      StringBuilder words = new StringBuilder(Labels.runs(group.runs()));
      for (Measure measure : MEASURES) {
        double median = group.median(measure.millis);
        if (median > 0) {
          words.append(words.indexOf("median") < 0 ? ", median " : ", ");
          words.append(millis(median)).append(' ');
          words.append(measure == WALL && inProcess(group) ? "run" : measure.word);
          words.append(quartiles(group, measure));
        }
      }
      String fitting = fit(g, words.toString(), right() - after, ChartFrame.PLAIN);
      text(g, fitting, after, baseLine, ChartFrame.PLAIN, ChartFrame.INK);
    }

    /** {@code (250 to 260)}: where the middle half of the runs lies. */
    private static String quartiles(FormSummary group, Measure measure) {
      double lower = group.quantile(measure.millis, 0.25);
      double upper = group.quantile(measure.millis, 0.75);
      String format = lower >= 100 ? " (%.0f to %.0f)" : " (%.1f to %.1f)";
      return group.runs() < FEWEST_FOR_A_BOX
          ? ""
          : String.format(Locale.ROOT, format, lower, upper);
    }

    /** The box and the median; the dots show through. */
    private void spread(
        Graphics2D g, FormSummary group, Measure measure, double bandTop, double height) {
      double median = group.median(measure.millis);
      if (!(median > 0)) {
        return;
      }
      double middle = bandTop + height * place(measure.lane, groups.size());
      double half = height * 0.16;
      g.setColor(ChartFrame.INK);
      if (group.runs() >= FEWEST_FOR_A_BOX) {
        double lower = axis(group.quantile(measure.millis, 0.25));
        double upper = axis(group.quantile(measure.millis, 0.75));
        g.setStroke(new BasicStroke(1));
        g.draw(new Rectangle2D.Double(lower, middle - half, upper - lower, 2 * half));
      }
      g.setStroke(new BasicStroke(2));
      double x = axis(median);
      g.draw(new Line2D.Double(x, middle - half, x, middle + half));
    }

    private double axis(double millis) {
      return x(log ? log10(Math.max(millis, Double.MIN_NORMAL)) : millis);
    }
  }
}
