package dev.hiplab.report;

import java.awt.Font;
import java.awt.Graphics2D;

/** The line below the title that says where the figures come from. XChart has no subtitles. */
final class Subtitle extends Layer {
  /** Pixels above and below the title; the line stands in the lower part. */
  static final int ROOM = 20;

  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
  private final String text;

  Subtitle(String text) {
    this.text = text;
  }

  @Override
  void draw(Graphics2D g) {
    String fitting = fit(g, text, chart.getWidth() - 20, FONT);
    double middle = Math.min((left() + right()) / 2, chart.getWidth() / 2.0);
    double half = width(g, fitting, FONT) / 2;
    double x = Math.max(10, Math.min(middle - half, chart.getWidth() - 10 - 2 * half));
    text(g, fitting, x, top() - 5, FONT, ChartFrame.PALE);
  }
}
