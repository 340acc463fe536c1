package dev.hiplab.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** Bars and rings of the workspace plot, and its zero line. */
final class WorkspaceBars extends Layer {
  /** One candidate: where it stands, its height in powers of two, its list, its index. */
  record Bar(double x, double height, int list, int index) {}

  private static final int[] COLORS = {0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00};
  private final WorkspacePlot.Columns columns;
  private final List<Bar> bars;

  WorkspaceBars(WorkspacePlot.Columns columns, List<Bar> bars) {
    this.columns = columns;
    this.bars = bars;
  }

  WorkspacePlot.Columns columns() {
    return columns;
  }

  static Color color(int list) {
    return new Color(COLORS[list % COLORS.length]);
  }

  @Override
  void draw(Graphics2D g) {
    double zero = y(0);
    double step = x(1) - x(0);
    g.setColor(ChartFrame.PALE);
    g.setStroke(new BasicStroke(1));
    g.draw(new Line2D.Double(left(), zero, right(), zero));
    String caption =
        "candidate, by its place in the heuristic's list; a ring asks for no workspace";
    double middleOfPlot = (left() + right()) / 2;
    centered(g, caption, middleOfPlot, zero + 34, ChartFrame.PLAIN, ChartFrame.INK);
    if (bars.stream().allMatch(bar -> bar.height() == 0)) {
      String none = "no candidate asks for workspace";
      double middleOfBars = (y(0) + top()) / 2;
      centered(g, none, middleOfPlot, middleOfBars, ChartFrame.BOLD, ChartFrame.PALE);
    }
    double width = Math.max(2, step * 0.76);
    for (Bar bar : bars) {
      double middle = x(bar.x());
      g.setColor(color(bar.list()));
      if (bar.height() > 0) {
        double top = y(bar.height());
        g.fill(new Rectangle2D.Double(middle - width / 2, top, width, zero - top));
      } else {
        ring(g, middle, zero, Math.min(9, width));
      }
      if (step >= 8) {
        centered(
            g, String.valueOf(bar.index()), middle, zero + 15, ShapeNames.SMALL, ChartFrame.PALE);
      }
    }
  }

  private static void ring(Graphics2D g, double x, double y, double size) {
    Color color = g.getColor();
    Ellipse2D ring = new Ellipse2D.Double(x - size / 2, y - size / 2, size, size);
    g.setColor(Color.WHITE);
    g.fill(ring);
    g.setColor(color);
    g.setStroke(new BasicStroke(2));
    g.draw(ring);
  }
}
