package dev.hiplab.report;

import dev.hiplab.measure.SurveyRow;
import dev.hiplab.measure.Verdict;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.util.List;

/** Dots, whiskers and marks of the plot of times, and the line below them. */
final class SurveyDots extends Layer {
  static final Color PLAIN = new Color(0x0072B2);
  static final Color FASTEST = new Color(0x009E73);
  static final Color FIRST = new Color(0xE69F00);

  /** One candidate that was timed, where it stands, and whether it is as fast as the fastest. */
  record Dot(SurveyRow row, double x, boolean fastest) {}

  private final List<Dot> dots;
  private final double base;

  SurveyDots(List<Dot> dots, double base) {
    this.dots = dots;
    this.base = base;
  }

  static boolean isWrong(Dot dot) {
    return dot.row().verdict() == Verdict.WRONG;
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
        String index = String.valueOf(dot.row().candidate());
        centered(g, index, x(dot.x()), zero + 15, ShapeNames.SMALL, ChartFrame.PALE);
      }
    }
  }

  private void dot(Graphics2D g, Dot dot, double size) {
    double x = x(dot.x());
    double y = y(Math.log10(dot.row().times().median()));
    double low = y(Math.log10(dot.row().times().lowerQuartile()));
    double high = y(Math.log10(dot.row().times().upperQuartile()));
    g.setColor(dot.fastest() ? FASTEST : PLAIN);
    g.setStroke(new BasicStroke(1.5f));
    g.draw(new Line2D.Double(x, low, x, high));
    double half = size / 3;
    g.draw(new Line2D.Double(x - half, low, x + half, low));
    g.draw(new Line2D.Double(x - half, high, x + half, high));
    g.fill(new Ellipse2D.Double(x - size / 2, y - size / 2, size, size));
    if (dot.row().candidate() == 0) {
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
