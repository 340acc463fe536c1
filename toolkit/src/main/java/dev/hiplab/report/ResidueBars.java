package dev.hiplab.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Bars of the residue plot: a group a row, a bar a series, its value at its end. */
final class ResidueBars extends Layer {
  private static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 10);
  private final List<String> rows;
  private final List<Map<String, Double>> series;

  ResidueBars(List<String> rows, List<Map<String, Double>> series) {
    this.rows = rows;
    this.series = series;
  }

  /** NaN, which an output is that nothing wrote, has no height; its label says it. */
  static double finite(double error) {
    return Double.isFinite(error) ? error : 0;
  }

  private DoubleStream errors() {
    return series.stream().flatMap(of -> of.values().stream()).mapToDouble(error -> finite(error));
  }

  private double span() {
    return Math.max(8, errors().max().orElse(0) - errors().min().orElse(0));
  }

  /** The axis of errors: with room for values below, and for them and the rows' names above. */
  double lowest() {
    return Math.min(0, errors().min().orElse(0)) - 0.1 * span();
  }

  double highest() {
    return Math.max(0, errors().max().orElse(0)) + 0.2 * span();
  }

  @Override
  void draw(Graphics2D g) {
    double group = x(1) - x(0);
    double width = group * 0.8 / series.size();
    for (int i = 0; i < rows.size(); i++) {
      double from = x(i);
      if (i > 0) {
        g.setColor(new Color(0xDDDDDD));
        g.draw(new Line2D.Double(from, top(), from, bottom()));
      }
      String name = fit(g, rows.get(i), group - 4, ChartFrame.PLAIN);
      centered(g, name, from + group / 2, top() + 14, ChartFrame.PLAIN, ChartFrame.INK);
      for (int s = 0; s < series.size(); s++) {
        Double error = series.get(s).get(rows.get(i));
        if (error != null) {
          bar(g, error, from + group * 0.1 + s * width, width, s);
        }
      }
    }
    g.setColor(ChartFrame.PALE);
    g.setStroke(new BasicStroke(1));
    g.draw(new Line2D.Double(left(), y(0), right(), y(0)));
  }

  private void bar(Graphics2D g, double error, double x, double width, int index) {
    double zero = y(0);
    double end = y(finite(error));
    g.setColor(WorkspaceBars.color(index));
    double height = Math.max(3, Math.abs(end - zero));
    g.fill(new Rectangle2D.Double(x + 1, Math.min(zero, end), width - 2, height));
    String value =
        error == Math.rint(error) ? String.format("%d", (long) error) : Double.toString(error);
    // Every second one a line further off where they would touch.
    double line = width(g, value, SMALL) > width && index % 2 == 1 ? 10 : 0;
    double at = error > 0 ? end - 4 - line : Math.max(end, zero + 3) + 11 + line;
    centered(g, value, x + width / 2, at, SMALL, ChartFrame.INK);
  }
}
