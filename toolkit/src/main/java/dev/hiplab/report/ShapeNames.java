package dev.hiplab.report;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;

/** Names of shapes over their candidates, and the lines between them. */
final class ShapeNames extends Layer {
  static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 10);

  private final WorkspacePlot.Columns columns;

  ShapeNames(WorkspacePlot.Columns columns) {
    this.columns = columns;
  }

  @Override
  void draw(Graphics2D g) {
    for (int i = 0; i < columns.shapes().size(); i++) {
      shape(g, columns.shapes().get(i), x(i * columns.group()), x((i + 1) * columns.group()));
    }
  }

  /** In lines when it fits so, else upright. */
  private void shape(Graphics2D g, String shape, double from, double to) {
    if (from > left() + 1) {
      g.setColor(new Color(0xDDDDDD));
      g.draw(new Line2D.Double(from, top(), from, bottom()));
    }
    if (!columns.uprightNames()) {
      boolean oneLine = width(g, shape, ChartFrame.PLAIN) <= to - from - 6;
      String[] lines = oneLine ? new String[] {shape} : shape.split(" ");
      for (int i = 0; i < lines.length; i++) {
        double baseLine = top() + 14 + 14 * i;
        centered(g, lines[i], (from + to) / 2, baseLine, ChartFrame.PLAIN, ChartFrame.INK);
      }
    } else {
      AffineTransform upright = g.getTransform();
      g.translate((from + to) / 2 + 4, top() + 4 + width(g, shape, SMALL));
      g.rotate(-Math.PI / 2);
      text(g, shape, 0, 0, SMALL, ChartFrame.INK);
      g.setTransform(upright);
    }
  }
}
