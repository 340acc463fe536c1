package dev.hiplab.report;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Outcomes run by run: a strip of cells per form, a cell a run, coloured by outcome, with the
 * counts in words above each strip. A run against what the sources say of its form has a thick
 * border.
 */
public final class OutcomePlot {
  /** Cells of few runs are not stretched beyond a fifth of the plot. */
  private static final int FEWEST_COLUMNS = 5;

  private OutcomePlot() {}

  /** At least one record. */
  public static XYChart of(List<RunRecord> records) {
    List<FormSummary> groups = FormSummary.of(Records.some(records));
    XYChart chart =
        ChartFrame.create(
            Records.title(records, "outcome of each " + Labels.kind(records)),
            Origin.of(records),
            "run (" + Labels.kind(records) + ")",
            "",
            ChartFrame.height(groups.size()));
    int runs = groups.stream().mapToInt(FormSummary::runs).max().orElseThrow();
    chart.getStyler().setXAxisMin(-0.5).setXAxisMax(Math.max(runs, FEWEST_COLUMNS) - 0.5);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax((double) groups.size());
    Layer strips = new Strips(groups);
    for (OutcomeStyle style : OutcomeStyle.values()) {
      addSeries(chart, strips, groups, style);
    }
    if (chart.getSeriesMap().size() > 6) { // more than a line holds
      chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
      chart.getStyler().setLegendLayout(LegendLayout.Vertical);
    }
    chart.addAnnotation(Ticks.ofRuns(runs));
    chart.addAnnotation(strips);
    return chart;
  }

  /** The series carry the data and the legend; the strips draw it. */
  private static void addSeries(
      XYChart chart, Layer strips, List<FormSummary> groups, OutcomeStyle style) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int row = 0; row < groups.size(); row++) {
      List<RunRecord> runs = groups.get(row).records();
      for (int i = 0; i < runs.size(); i++) {
        if (runs.get(i).outcome() == style.outcome) {
          x.add((double) i);
          y.add(groups.size() - row - 0.65);
        }
      }
    }
    if (!x.isEmpty()) {
      String name = style.letter + "  " + style.outcome + " (" + x.size() + ")";
      ChartFrame.drawnBy(strips, chart.addSeries(name, x, y), style.color);
    }
  }

  private static final class Strips extends Layer {
    private static final Font LETTER = new Font(Font.SANS_SERIF, Font.BOLD, 12);
    private final List<FormSummary> groups;

    Strips(List<FormSummary> groups) {
      this.groups = groups;
    }

    @Override
    void draw(Graphics2D g) {
      double rowHeight = (bottom() - top()) / groups.size();
      for (int row = 0; row < groups.size(); row++) {
        FormSummary group = groups.get(row);
        double rowTop = top() + row * rowHeight;
        double headline = Math.min(24, rowHeight * 0.4);
        headline(g, group, rowTop + headline - 7);
        for (int i = 0; i < group.runs(); i++) {
          double left = x(i - 0.5);
          double width = x(i + 0.5) - left;
          double gap = width > 6 ? 1.5 : 0;
          cell(
              g,
              group.records().get(i),
              new Rectangle2D.Double(
                  left + gap, rowTop + headline, width - 2 * gap, rowHeight - headline - 8));
        }
      }
    }

    private void headline(Graphics2D g, FormSummary group, double baseLine) {
      String label = Labels.of(group, groups);
      text(g, label, left() + 2, baseLine, ChartFrame.BOLD, ChartFrame.INK);
      double after = left() + 2 + width(g, label, ChartFrame.BOLD) + 12;
      String counts = Labels.runs(group.runs()) + ": " + group.outcomesInWords();
      int forbidden = group.count(Grade.FORBIDDEN);
      String against = forbidden > 0 ? forbidden + " FORBIDDEN" : "";
      double room = right() - after - width(g, against, ChartFrame.BOLD) - 12;
      counts = fit(g, counts, room, ChartFrame.PLAIN);
      text(g, counts, after, baseLine, ChartFrame.PLAIN, ChartFrame.INK);
      after += width(g, counts, ChartFrame.PLAIN) + 12;
      text(g, against, after, baseLine, ChartFrame.BOLD, ChartFrame.ALARM);
    }

    private void cell(Graphics2D g, RunRecord run, Rectangle2D cell) {
      OutcomeStyle style = OutcomeStyle.of(run.outcome());
      g.setColor(style.color);
      g.fill(cell);
      if (cell.getWidth() >= 11 && cell.getHeight() >= 13) {
        centered(g, style.letter, cell.getCenterX(), cell.getCenterY() + 4.5, LETTER, style.ink());
      }
      if (run.grade() == Grade.FORBIDDEN) {
        float stroke = cell.getWidth() >= 18 ? 3 : 1.5f;
        border(g, cell, 0, stroke, Color.BLACK);
        border(g, cell, stroke, stroke, Color.WHITE); // or a black cell would hide the border
      }
    }

    private static void border(
        Graphics2D g, Rectangle2D cell, double from, float stroke, Color color) {
      double inset = from + stroke / 2;
      g.setColor(color);
      g.setStroke(new BasicStroke(stroke));
      g.draw(
          new Rectangle2D.Double(
              cell.getX() + inset,
              cell.getY() + inset,
              cell.getWidth() - 2 * inset,
              cell.getHeight() - 2 * inset));
    }
  }
}
