package dev.hiplab.report;

import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import dev.hiplab.Timeline.LaneKind;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

/** Draws lanes of calls, runs and points. */
final class LaneLayer extends Layer {
  private static final Color RULE = new Color(0xDDDDDD);
  private static final Color LINK = new Color(0, 0, 0, 110);
  private static final Color FAINT = new Color(0, 0, 0, 45);
  private static final int MANY = 150; // bars: their lines would be a black patch

  private final List<LaneRow> rows;
  private final LaneClock clock;
  private final int height;
  private final int[] heights;
  private final Map<Long, Entry> elsewhere = new HashMap<>(); // calls, by their number

  LaneLayer(List<LaneRow> rows, LaneClock clock, int height, LongToDoubleFunction layout) {
    this.rows = rows;
    this.clock = clock;
    this.height = height;
    this.heights = rows.stream().mapToInt(row -> row.height(layout)).toArray();
    for (LaneRow row : rows) {
      for (Entry entry : row.bars) {
        if (entry.kind() == Kind.CALL && entry.onAnotherStream()) {
          elsewhere.put(entry.call(), entry);
        }
      }
    }
  }

  /** A time as pixels; one outside the window is at its edge. */
  private double at(long nanos) {
    return x(clock.place(nanos));
  }

  @Override
  void draw(Graphics2D g) {
    double scale = (bottom() - top()) / Math.max(1, height);
    double[] barTops = new double[rows.size()];
    double below = top();
    for (int i = 0; i < rows.size(); i++) {
      below += heights[i] * scale;
      barTops[i] = below - LaneRow.BAR - 4;
      frame(g, i, barTops[i], below);
    }
    breaks(g);
    links(g, barTops);
    for (int i = 0; i < rows.size(); i++) {
      for (Entry entry : rows.get(i).bars) {
        bar(g, entry, barTops[i]);
      }
    }
    for (int i = 0; i < rows.size(); i++) {
      for (Entry entry : rows.get(i).bars) {
        elsewhere(g, entry, barTops[i]);
      }
      points(g, rows.get(i), barTops[i]);
    }
  }

  private void frame(Graphics2D g, int i, double barTop, double below) {
    LaneRow row = rows.get(i);
    boolean lastThread =
        row.lane.kind() == LaneKind.THREAD
            && i + 1 < rows.size()
            && rows.get(i + 1).lane.kind() == LaneKind.STREAM;
    g.setColor(lastThread ? ChartFrame.PALE : RULE);
    g.setStroke(new BasicStroke(1));
    g.draw(new Line2D.Double(left(), below, right(), below));
    double room = x(0) - left() - 8;
    String name = row.lane.name();
    if (row.lane.kind() == LaneKind.THREAD
        && width(g, "thread " + name, ChartFrame.PLAIN) <= room) {
      name = "thread " + name;
    }
    String fitting = fit(g, name, room, ChartFrame.PLAIN);
    text(g, fitting, left() + 2, barTop + 13, ChartFrame.PLAIN, ChartFrame.INK);
  }

  /** Where time is cut out. */
  private void breaks(Graphics2D g) {
    for (LaneClock.Cut cut : clock.cuts) {
      double from = x(cut.place());
      double width = x(cut.place() + clock.breakWidth) - from;
      g.setColor(new Color(0xF2F2F2));
      g.fill(new Rectangle2D.Double(from, top(), width, bottom() - top()));
      g.setColor(ChartFrame.PALE);
      g.setStroke(new BasicStroke(1, 0, 0, 1, new float[] {4, 3}, 0));
      double end = bottom() - 14; // the length stands below
      g.draw(new Line2D.Double(from, top(), from, end));
      g.draw(new Line2D.Double(from + width, top(), from + width, end));
      centered(g, cut.length(), from + width / 2, bottom() - 2, LaneRow.FONT, ChartFrame.PALE);
    }
  }

  private void bar(Graphics2D g, Entry entry, double top) {
    LaneStyle style = LaneStyle.of(entry);
    double from = at(entry.beginNanos());
    double width = Math.max(1.5, at(entry.endNanos()) - from);
    Rectangle2D bar = new Rectangle2D.Double(from, top, width, LaneRow.BAR);
    g.setColor(style.color);
    g.fill(bar);
    if (style == LaneStyle.WAIT) {
      LanePaint.hatch(g, bar);
    }
    if (width >= 3) { // or neighbours of one kind would look like one
      g.setColor(new Color(0, 0, 0, 120));
      g.setStroke(new BasicStroke(0.8f));
      g.draw(bar);
    }
    if (width >= 11) {
      centered(g, style.letter, bar.getCenterX(), top + 13.5, LaneRow.FONT, style.ink());
    }
  }

  /** Frames work that did not run where it was meant to; its run says where that was. */
  private void elsewhere(Graphics2D g, Entry entry, double top) {
    Entry call = entry.kind() == Kind.CALL ? entry : elsewhere.get(entry.call());
    if (call == null || !call.onAnotherStream()) {
      return;
    }
    double from = at(entry.beginNanos());
    double width = Math.max(1.5, at(entry.endNanos()) - from);
    g.setColor(ChartFrame.ALARM);
    g.setStroke(new BasicStroke(2.5f));
    g.draw(new Rectangle2D.Double(from - 2, top - 1, width + 4, LaneRow.BAR + 2));
    if (entry.kind() == Kind.RUN) {
      String word = "! asked: " + call.asked();
      LanePaint.clear(g, word, from + width + 6, top + 13, LaneRow.FONT);
      text(g, word, from + width + 6, top + 13, LaneRow.FONT, ChartFrame.ALARM);
    }
  }

  /** From the end of an enqueuing call to the begin of what it enqueued. */
  private void links(Graphics2D g, double[] barTops) {
    boolean many = rows.stream().mapToInt(row -> row.bars.size()).sum() > MANY;
    Map<Long, double[]> calls = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      for (Entry entry : rows.get(i).bars) {
        if (entry.kind() == Kind.CALL && LaneStyle.of(entry) != LaneStyle.WAIT) {
          double middle = (at(entry.beginNanos()) + at(entry.endNanos())) / 2;
          double other = entry.onAnotherStream() ? 1 : 0;
          calls.put(entry.call(), new double[] {middle, barTops[i] + LaneRow.BAR, other});
        }
      }
    }
    for (int i = 0; i < rows.size(); i++) {
      for (Entry entry : rows.get(i).bars) {
        double[] from = entry.kind() == Kind.RUN ? calls.get(entry.call()) : null;
        if (from != null && entry.beginNanos() >= clock.window.from()) {
          boolean work = LaneStyle.of(entry).isWork();
          g.setColor(from[2] > 0 ? ChartFrame.ALARM : work && !many ? LINK : FAINT);
          g.setStroke(new BasicStroke(from[2] > 0 ? 1.6f : 0.8f));
          g.draw(new Line2D.Double(from[0], from[1], at(entry.beginNanos()), barTops[i]));
        }
      }
    }
  }

  private void points(Graphics2D g, LaneRow row, double barTop) {
    List<Entry> named = row.named();
    int[] nameRows = row.nameRows(this::at);
    for (Entry point : row.points) {
      if (point.endNanos() > clock.window.to()) {
        continue; // held beyond the window
      }
      int place = named.indexOf(point);
      double x = at(point.endNanos());
      double held = x - at(point.beginNanos());
      g.setColor(ChartFrame.INK);
      if (held > 3) {
        g.setStroke(new BasicStroke(1, 0, 0, 1, new float[] {2, 2}, 0));
        g.draw(new Line2D.Double(x - held, barTop - 3, x, barTop - 3));
      }
      g.setStroke(new BasicStroke(0.8f));
      if (place < 0 || nameRows[place] < 0) {
        g.draw(new Line2D.Double(x, barTop - 5, x, barTop));
        continue;
      }
      double base = barTop - 8 - nameRows[place] * LaneRow.NAME;
      g.draw(new Line2D.Double(x, base - 8, x, barTop));
      LanePaint.diamond(g, x, barTop - 3);
      LanePaint.clear(g, point.label(), x + 4, base, row.font(point));
      text(g, point.label(), x + 4, base, row.font(point), ChartFrame.INK);
    }
  }
}
