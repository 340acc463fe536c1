package dev.hiplab.report;

import java.awt.Color;
import java.awt.Font;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;

/** The look that all plots share: title, a line that says where the figures come from, legend. */
final class ChartFrame {
  static final int WIDTH = 900;
  static final int HEIGHT = 450;
  static final Color INK = new Color(0x222222);
  static final Color PALE = new Color(0x666666);
  static final Color ALARM = new Color(0xB03A00);
  static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 13);

  private ChartFrame() {}

  /** Height for that many forms below each other: a form never gets less than 70 pixels. */
  static int height(int rows) {
    return Math.max(HEIGHT, HEIGHT + (rows - 4) * 70);
  }

  /** Pixels of the plot itself in a chart of that many forms, nearly. */
  static double plotHeight(int rows) {
    return height(rows) - 140;
  }

  static XYChart create(String title, String origin, String xTitle, String yTitle, int height) {
    Kernel.current(); // a chart as a cell's last expression renders only once it is registered
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(height)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    XYStyler styler = chart.getStyler();
    styler.setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesVisible(false); // Ticks draws what we need
    styler.setXAxisTicksVisible(false);
    styler.setYAxisTicksVisible(false);
    styler.setAxisTitlePadding(Ticks.ROOM_BELOW);
    styler.setPlotContentSize(1.0);
    styler.setChartPadding(4);
    styler.setChartFontColor(INK);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
    styler.setChartTitleBoxVisible(false);
    styler.setChartTitlePadding(Subtitle.ROOM);
    styler.setAxisTitleFont(PLAIN);
    styler.setLegendPosition(LegendPosition.OutsideS);
    styler.setLegendLayout(LegendLayout.Horizontal);
    styler.setLegendBorderColor(new Color(255, 255, 255, 0));
    styler.setLegendFont(PLAIN);
    styler.setLegendBackgroundColor(new Color(255, 255, 255, 0)); // or it hides the axis title
    styler.setLegendSeriesLineLength(12);
    styler.setMarkerSize(10);
    chart.addAnnotation(new Subtitle(origin));
    return chart;
  }

  /** Black or white, whichever reads better on a colour. */
  static Color inkOn(Color color) {
    double luminance = 0.299 * color.getRed() + 0.587 * color.getGreen() + 0.114 * color.getBlue();
    return luminance > 110 ? Color.BLACK : Color.WHITE;
  }

  /** A series that {@code layer} draws: its own markers show in the legend only. */
  static void drawnBy(Layer layer, XYSeries series, Color color) {
    series.setMarker(layer.legendMarker());
    series.setMarkerColor(color);
  }
}
