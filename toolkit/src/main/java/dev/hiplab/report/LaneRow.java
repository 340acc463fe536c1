package dev.hiplab.report;

import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import dev.hiplab.Timeline.Lane;
import dev.hiplab.Timeline.LaneKind;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.LongToDoubleFunction;

/**
 * A lane in a plot: its bars, its points, and rows of their names above them. Names never cross
 * each other nor the lines that lead to them: of points close together the earlier stands higher.
 */
final class LaneRow {
  static final int BAR = 18;
  static final int NAME = 13; // pixels between base lines
  static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
  private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 11);

  /** More points in a window have no room for names. */
  static final int NAMED_POINTS = 14;

  private static final int GAP = 8;
  private static final int MOST_ROWS = 10;
  private static final FontRenderContext CONTEXT = new FontRenderContext(null, true, true);

  /** The main thread, other threads by name, streams as they come. */
  static final Comparator<LaneRow> ORDER =
      Comparator.comparing((LaneRow row) -> row.lane.kind())
          .thenComparing(LaneRow::rank)
          .thenComparingLong(LaneRow::number);

  final Lane lane;
  final List<Entry> bars;
  final List<Entry> points;
  private final Set<String> places;

  /**
   * @param places points of the schedule ({@link LaneWindow#place}): they and the workload's own
   *     have names, no others; empty: all have, unless there are too many
   */
  LaneRow(Lane lane, List<Entry> shown, Set<String> places) {
    this.lane = lane;
    this.places = places;
    this.bars = shown.stream().filter(entry -> entry.kind() != Kind.POINT).toList();
    this.points =
        shown.stream()
            .filter(entry -> entry.kind() == Kind.POINT)
            .sorted(Comparator.comparingLong(Entry::endNanos)) // when they were let go
            .toList();
  }

  private String rank() {
    boolean stream = lane.kind() == LaneKind.STREAM;
    return stream || lane.name().equals("main") ? "" : lane.name().replaceAll("[0-9]+", "");
  }

  /** worker-10 comes after worker-2. */
  private long number() {
    String digits = lane.kind() == LaneKind.STREAM ? "" : lane.name().replaceAll("[^0-9]", "");
    return digits.isEmpty() || digits.length() > 9 ? 0 : Long.parseLong(digits);
  }

  /** Whether the schedule speaks of it. */
  boolean scheduled(Entry point) {
    return places.contains(LaneWindow.place(point));
  }

  /** The points that have a name in the plot. */
  List<Entry> named() {
    List<Entry> named =
        places.isEmpty()
            ? points
            : points.stream().filter(p -> scheduled(p) || p.label().startsWith("work.")).toList();
    return named.size() <= NAMED_POINTS
        ? firstOfEqual(named)
        : firstOfEqual(points.stream().filter(this::scheduled).limit(NAMED_POINTS).toList());
  }

  /** A point that is passed again and again is named once. */
  private static List<Entry> firstOfEqual(List<Entry> points) {
    List<Entry> firsts = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      if (i == 0 || !points.get(i).label().equals(points.get(i - 1).label())) {
        firsts.add(points.get(i));
      }
    }
    return firsts;
  }

  Font font(Entry point) {
    return scheduled(point) ? BOLD : FONT;
  }

  double width(Entry point) {
    return font(point).getStringBounds(point.label(), CONTEXT).getWidth();
  }

  static double width(String text) {
    return FONT.getStringBounds(text, CONTEXT).getWidth();
  }

  /**
   * For each named point the row of its name, counted from the bars; -1 where there is no room.
   *
   * @param x from a time to pixels
   */
  int[] nameRows(LongToDoubleFunction x) {
    List<Entry> named = named();
    int[] rows = new int[named.size()];
    for (int i = named.size() - 1; i >= 0; i--) {
      Entry point = named.get(i);
      double right = x.applyAsDouble(point.endNanos()) + width(point) + GAP;
      int row = 0;
      for (int j = i + 1; j < named.size(); j++) {
        if (x.applyAsDouble(named.get(j).endNanos()) < right) {
          row = Math.max(row, rows[j] + 1);
        }
      }
      rows[i] = row < MOST_ROWS ? row : -1;
    }
    return rows;
  }

  /** Pixels of the whole lane. */
  int height(LongToDoubleFunction x) {
    int most = -1;
    for (int row : nameRows(x)) {
      most = Math.max(most, row);
    }
    return BAR + GAP + (most + 1) * NAME + (points.isEmpty() ? 0 : 6);
  }
}
