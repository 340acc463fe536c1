package dev.hiplab.report;

import dev.hiplab.race.FormCost;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;

/**
 * What right forms cost beside FIXED: for each, two bars of ratios with the quartiles of its runs
 * as a whisker. Throughput of eight threads against FIXED's median, and overlap, the throughput of
 * eight threads with a stream each against one: a form that lets one GEMM run at a time has an
 * overlap of about 1. Figures as in {@link FormCostTable}.
 */
public final class CostPlot {
  private static final int ROW = 58;
  private static final Color THROUGHPUT = new Color(0x0072B2);
  private static final Color OVERLAP = new Color(0xE69F00);

  /** Lower quartile, median, upper quartile. */
  private record Spread(double lower, double median, double upper) {
    static Spread of(FormSummary row, ToDoubleFunction<RunRecord> ratio) {
      return new Spread(
          row.quantile(ratio, 0.25), row.quantile(ratio, 0.5), row.quantile(ratio, 0.75));
    }
  }

  private record Row(String label, int runs, Spread throughput, Spread overlap) {}

  private CostPlot() {}

  /**
   * @param records of {@code bench forms}; others are left out
   */
  public static XYChart of(List<RunRecord> records) {
    List<RunRecord> costs = Records.some(records).stream().filter(FormCost::made).toList();
    if (costs.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no run to plot: none of "
              + Labels.runs(records.size())
              + " is of bench forms, which measures what forms cost; give its records.");
    }
    List<FormSummary> groups = FormSummary.of(costs);
    List<Row> rows = groups.stream().map(group -> row(group, groups)).toList();
    XYChart chart =
        ChartFrame.create(
            "Throughput and overlap of the forms that are right",
            Origin.of(costs),
            "ratio, median and quartiles (throughput: 1 is FIXED's; overlap: 1 means none)",
            "",
            Math.max(ChartFrame.HEIGHT, 140 + ROW * rows.size()));
    double largest =
        rows.stream()
            .flatMapToDouble(row -> DoubleStream.of(row.throughput.upper, row.overlap.upper))
            .filter(Double::isFinite)
            .max()
            .orElse(1);
    double max = Math.max(1.2, largest * 1.12);
    chart.getStyler().setXAxisMin(0.0).setXAxisMax(max);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax((double) rows.size());
    Layer bars = new Bars(rows);
    series(chart, bars, "throughput / FIXED, 8 threads", THROUGHPUT, rows, Row::throughput);
    series(chart, bars, "overlap: 8 streams / 1", OVERLAP, rows, Row::overlap);
    chart.addAnnotation(Ticks.linear(max));
    chart.addAnnotation(bars);
    return chart;
  }

  private static Row row(FormSummary group, List<FormSummary> all) {
    double fixed = FormCostTable.fixedThroughput(group, all);
    return new Row(
        FormCostTable.part(group.scenario()) + " " + group.form(),
        group.runs(),
        Spread.of(group, run -> FormCostTable.throughput(run) / fixed),
        Spread.of(group, FormCostTable::overlap));
  }

  /** The series carry the medians and the legend; the layer draws. */
  private static void series(
      XYChart chart,
      Layer bars,
      String name,
      Color color,
      List<Row> rows,
      Function<Row, Spread> spread) {
    double[] x = rows.stream().mapToDouble(row -> spread.apply(row).median).toArray();
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = rows.size() - i - 0.5;
    }
    ChartFrame.drawnBy(bars, chart.addSeries(name, x, y), color);
  }

  private static final class Bars extends Layer {
    private final List<Row> rows;

    Bars(List<Row> rows) {
      this.rows = rows;
    }

    @Override
    void draw(Graphics2D g) {
      double height = (bottom() - top()) / rows.size();
      for (int i = 0; i < rows.size(); i++) {
        Row row = rows.get(i);
        double from = top() + i * height;
        text(g, row.label, left() + 2, from + 15, ChartFrame.BOLD, ChartFrame.INK);
        double after = left() + 14 + width(g, row.label, ChartFrame.BOLD);
        text(g, Labels.runs(row.runs), after, from + 15, ChartFrame.PLAIN, ChartFrame.PALE);
        double bar = (height - 24) / 2;
        bar(g, row.throughput, from + 19, bar, THROUGHPUT);
        bar(g, row.overlap, from + 19 + bar, bar, OVERLAP);
      }
      g.setColor(ChartFrame.INK);
      g.setStroke(
          new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 4, new float[] {4}, 0));
      g.draw(new Line2D.Double(x(1), top(), x(1), bottom()));
    }

    private void bar(Graphics2D g, Spread spread, double y, double height, Color color) {
      if (!Double.isFinite(spread.median)) {
        return;
      }
      double middle = y + height / 2;
      g.setColor(color);
      g.fill(new Rectangle2D.Double(left(), y + 1, x(spread.median) - left(), height - 2));
      g.setColor(ChartFrame.INK);
      g.setStroke(new BasicStroke(1.5f));
      g.draw(new Line2D.Double(x(spread.lower), middle, x(spread.upper), middle));
      for (double end : new double[] {spread.lower, spread.upper}) {
        g.draw(new Line2D.Double(x(end), middle - 4, x(end), middle + 4));
      }
      String label = String.format(Locale.ROOT, "%.2f", spread.median);
      double right = x(Math.max(spread.median, spread.upper));
      text(g, label, right + 6, middle + 4, ChartFrame.PLAIN, ChartFrame.INK);
    }
  }
}
