package dev.hiplab.report.html;

import dev.hiplab.report.Plots;
import org.knowm.xchart.internal.chartpart.Chart;

/** A plot inside the page. */
public final class Figure {
  private static final int MANY = 10;

  private Figure() {}

  /** The scale of the plots on a page of so many scenarios: a page must not become too large. */
  public static int scale(int scenarios) {
    return scenarios > MANY ? 1 : 2;
  }

  /**
   * The plot with what it says in words, for whoever does not see it.
   *
   * @param says alternative text
   * @param scale see {@link Plots#dataUri}
   */
  public static String of(Chart<?, ?> chart, String says, int scale) {
    return "<figure><img alt=\""
        + Html.text(says)
        + "\" width=\""
        + chart.getWidth()
        + "\" height=\""
        + chart.getHeight()
        + "\" src=\""
        + Plots.dataUri(chart, scale)
        + "\"/></figure>\n";
  }
}
