package dev.hiplab.report.html;

import dev.hiplab.report.Plots;
import org.knowm.xchart.internal.chartpart.Chart;

/** A plot inside the page. */
public final class Figure {
  private Figure() {}

  /**
   * The plot with what it says in words, for whoever does not see it.
   *
   * @param says alternative text
   */
  public static String of(Chart<?, ?> chart, String says) {
    return "<figure><img alt=\""
        + Html.text(says)
        + "\" width=\""
        + chart.getWidth()
        + "\" height=\""
        + chart.getHeight()
        + "\" src=\""
        + Plots.dataUri(chart)
        + "\"/></figure>\n";
  }
}
