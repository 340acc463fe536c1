package dev.hiplab.report;

import dev.hiplab.measure.Samples;
import dev.hiplab.measure.Timing;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;

/**
 * Histogram of a timing's device times: a panel an arm on one axis of milliseconds, bins of one
 * width, a thick line at the median and thin ones at the quartiles; "outside" counts what lies
 * beyond Tukey's fences, and the ratio is to the first arm. Nothing is cut off: where values lie
 * far apart the axis is logarithmic. The series hold every sample that counts, as its {@code
 * device_ms} in the timing's CSV or the decimal logarithm of that.
 */
public final class TimingPlot {
  private static final int ROW = 120;
  private static final int BINS = 60;

  /** Beyond this ratio of largest to smallest, a linear axis would hide the small ones. */
  private static final double LOG_FROM_RATIO = 8;

  private static final int[] COLORS = {0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00};

  /** The axis: where bins begin and how wide they are, in its own values. */
  record Axis(boolean log, double from, double to) {
    static Axis of(List<Timing.Arm> arms) {
      double[] all =
          arms.stream()
              .flatMapToDouble(arm -> Arrays.stream(arm.deviceMs().values()))
              .sorted()
              .toArray();
      double least = all[0];
      double most = all[all.length - 1];
      boolean log = least > 0 && most / least > LOG_FROM_RATIO;
      double from = log ? Math.log10(least) : least;
      double to = log ? Math.log10(most) : most;
      double pad = Math.max((to - from) * 0.04, log ? 0.02 : Math.max(most * 0.02, 1e-6));
      return new Axis(log, log ? from - pad : Math.max(0, from - pad), to + pad);
    }

    double place(double millis) {
      return log ? Math.log10(millis) : millis;
    }

    double width() {
      return (to - from) / BINS;
    }

    /** How many values lie in each bin; a value on an edge in the upper one. */
    int[] counts(double[] millis) {
      int[] counts = new int[BINS];
      for (double value : millis) {
        int bin = (int) ((place(value) - from) / width());
        counts[Math.max(0, Math.min(BINS - 1, bin))]++;
      }
      return counts;
    }
  }

  private TimingPlot() {}

  /**
   * Draws it.
   *
   * @throws IllegalArgumentException when nothing was measured
   */
  public static XYChart of(Timing timing) {
    List<Timing.Arm> arms = new ArrayList<>(timing.arms().values());
    if (arms.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no time to plot: the timing was interrupted before its first round.");
    }
    Axis axis = Axis.of(arms);
    XYChart chart =
        ChartFrame.create(
            "Device time of each repetition",
            Origin.of(timing.place()),
            "milliseconds" + (axis.log ? " (log axis)" : "") + "; lines: quartiles and median",
            "",
            Math.max(ChartFrame.HEIGHT - 150, 130 + ROW * arms.size()));
    chart.getStyler().setXAxisMin(axis.from).setXAxisMax(axis.to);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax((double) arms.size());
    Panels panels = new Panels(timing, arms, axis);
    for (int i = 0; i < arms.size(); i++) {
      double[] x = Arrays.stream(arms.get(i).deviceMs().values()).map(axis::place).toArray();
      double[] y = new double[x.length];
      Arrays.fill(y, arms.size() - i - 0.5);
      ChartFrame.drawnBy(panels, chart.addSeries(arms.get(i).name(), x, y), color(i));
    }
    chart.getStyler().setLegendVisible(false); // each panel has its name
    chart.addAnnotation(
        axis.log ? Ticks.log10(axis.from, axis.to) : Ticks.between(axis.from, axis.to));
    chart.addAnnotation(panels);
    return chart;
  }

  private static Color color(int arm) {
    return new Color(COLORS[arm % COLORS.length]);
  }

  private static final class Panels extends Layer {
    private final Timing timing;
    private final List<Timing.Arm> arms;
    private final Axis axis;

    Panels(Timing timing, List<Timing.Arm> arms, Axis axis) {
      this.timing = timing;
      this.arms = arms;
      this.axis = axis;
    }

    @Override
    void draw(Graphics2D g) {
      double height = (bottom() - top()) / arms.size();
      for (int i = 0; i < arms.size(); i++) {
        panel(g, arms.get(i), color(i), top() + i * height, height);
      }
    }

    private void panel(Graphics2D g, Timing.Arm arm, Color color, double from, double height) {
      g.setColor(new Color(0xCCCCCC));
      g.setStroke(new BasicStroke(1));
      g.draw(new Line2D.Double(left(), from, right(), from));
      headline(g, arm, from + 16);
      double base = from + height - 4;
      double room = height - 34;
      int[] counts = axis.counts(arm.deviceMs().values());
      double most = Arrays.stream(counts).max().orElseThrow();
      for (int bin = 0; bin < counts.length; bin++) {
        if (counts[bin] > 0) {
          double x = x(axis.from + bin * axis.width());
          double next = x(axis.from + (bin + 1) * axis.width());
          double tall = Math.max(2, room * counts[bin] / most);
          g.setColor(color);
          g.fill(new Rectangle2D.Double(x + 0.5, base - tall, next - x - 1, tall));
        }
      }
      Samples ms = arm.deviceMs();
      line(g, ms.lowerQuartile(), 1, base, room);
      line(g, ms.upperQuartile(), 1, base, room);
      line(g, ms.median(), 2.5f, base, room);
      g.setColor(ChartFrame.PALE);
      g.setStroke(new BasicStroke(1));
      g.draw(new Line2D.Double(left(), base, right(), base));
    }

    private void line(Graphics2D g, double millis, float stroke, double base, double room) {
      g.setColor(ChartFrame.INK);
      g.setStroke(new BasicStroke(stroke));
      double x = x(axis.place(millis));
      g.draw(new Line2D.Double(x, base - room - 4, x, base));
    }

    private void headline(Graphics2D g, Timing.Arm arm, double baseLine) {
      text(g, arm.name(), left() + 2, baseLine, ChartFrame.BOLD, ChartFrame.INK);
      double after = left() + 14 + width(g, arm.name(), ChartFrame.BOLD);
      Samples ms = arm.deviceMs();
      int tallest = Arrays.stream(axis.counts(ms.values())).max().orElseThrow();
      String words =
          String.format(
              Locale.ROOT,
              "%d times, median %.3g ms (%.3g to %.3g), %d outside, tallest bar %d",
              ms.count(),
              ms.median(),
              ms.lowerQuartile(),
              ms.upperQuartile(),
              ms.outliers(),
              tallest);
      if (arms.indexOf(arm) > 0) {
        words += ", ratio " + timing.ratio(arm.name());
      }
      String fitting = fit(g, words, right() - after, ChartFrame.PLAIN);
      text(g, fitting, after, baseLine, ChartFrame.PLAIN, ChartFrame.INK);
    }
  }
}
