package dev.hiplab.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/** Shapes that lanes are drawn with. */
final class LanePaint {
  private LanePaint() {}

  static void hatch(Graphics2D g, Rectangle2D bar) {
    Shape clip = g.getClip();
    g.clip(bar);
    g.setColor(new Color(0xAAAAAA));
    g.setStroke(new BasicStroke(1));
    for (double x = bar.getX() - LaneRow.BAR; x < bar.getMaxX(); x += 6) {
      g.draw(new Line2D.Double(x, bar.getMaxY(), x + LaneRow.BAR, bar.getY()));
    }
    g.setClip(clip);
  }

  /** Pales what a text will stand on. */
  static void clear(Graphics2D g, String text, double x, double base, Font font) {
    g.setColor(new Color(255, 255, 255, 215));
    g.fill(new Rectangle2D.Double(x - 2, base - 10, Layer.width(g, text, font) + 4, 13));
  }

  static void diamond(Graphics2D g, double x, double y) {
    Path2D shape = new Path2D.Double();
    shape.moveTo(x, y - 4);
    shape.lineTo(x + 4, y);
    shape.lineTo(x, y + 4);
    shape.lineTo(x - 4, y);
    shape.closePath();
    g.fill(shape);
  }
}
