package dev.hiplab.report;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.TextLayout;
import java.awt.geom.Rectangle2D;
import org.knowm.xchart.internal.chartpart.Annotation;
import org.knowm.xchart.style.markers.Marker;

/** Something drawn over a chart in the coordinates of its axes. */
abstract class Layer extends Annotation {
  Layer() {
    super(false);
  }

  abstract void draw(Graphics2D g);

  @Override
  public final void paint(Graphics2D g) {
    Graphics2D own = (Graphics2D) g.create();
    own.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    own.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    own.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    draw(own);
    own.dispose();
    bounds = new Rectangle2D.Double(left(), top(), right() - left(), bottom() - top());
  }

  /**
   * A square that paints outside the plot only, that is in the legend. A layer's series keep their
   * legend so, and no marker stands under what the layer draws.
   */
  final Marker legendMarker() {
    return new Marker() {
      @Override
      public void paint(Graphics2D g, double x, double y, int size) {
        if (y > bottom() || x > right()) {
          g.fill(new Rectangle2D.Double(x - size / 2.0, y - size / 2.0, size, size));
        }
      }
    };
  }

  /** Pixels. */
  double x(double value) {
    return getXAxisScreenValue(value);
  }

  double y(double value) {
    return getYAxisScreenValue(value);
  }

  double left() {
    return getXAxisScreenValueForMin();
  }

  double right() {
    return getXAxisScreenValueForMax();
  }

  double top() {
    return getYAxisScreenValueForMin();
  }

  double bottom() {
    return getYAxisScreenValueForMax();
  }

  /** Width in pixels. */
  static double width(Graphics2D g, String text, Font font) {
    return text.isEmpty() ? 0 : new TextLayout(text, font, g.getFontRenderContext()).getAdvance();
  }

  /** Draws with the text's left end at x, its base line at y. */
  static void text(Graphics2D g, String text, double x, double y, Font font, Color color) {
    g.setFont(font);
    g.setColor(color);
    g.drawString(text, (float) x, (float) y);
  }

  static void centered(Graphics2D g, String text, double x, double y, Font font, Color color) {
    text(g, text, x - width(g, text, font) / 2, y, font, color);
  }

  /** The text, cut to what fits, with an ellipsis. */
  static String fit(Graphics2D g, String text, double room, Font font) {
    String fitting = text;
    while (fitting.length() > 1 && width(g, fitting, font) > room) {
      fitting = fitting.substring(0, fitting.length() - 2) + "…";
    }
    return fitting;
  }
}
