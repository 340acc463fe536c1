package dev.hiplab.report;

import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import java.awt.Color;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A line of the legend of lanes, with how many there are: a GEMM is a call on a thread and a run on
 * a stream, which are counted apart.
 *
 * @param at places of what it counts, on the axis
 */
record LanesLegend(String name, Color color, List<Double> at) {
  static double width(List<LanesLegend> lines) {
    return lines.stream().mapToDouble(line -> LaneRow.width(line.name) * 1.1 + 34).sum();
  }

  static double column(List<LanesLegend> lines) {
    return lines.stream().mapToDouble(line -> LaneRow.width(line.name) * 1.1 + 40).max().orElse(0);
  }

  static List<LanesLegend> of(List<LaneRow> rows, LaneClock clock) {
    Map<LaneStyle, List<Entry>> bars = new EnumMap<>(LaneStyle.class);
    List<Double> points = new ArrayList<>();
    List<Entry> elsewhere = new ArrayList<>();
    for (LaneRow row : rows) {
      for (Entry entry : row.bars) {
        bars.computeIfAbsent(LaneStyle.of(entry), style -> new ArrayList<>()).add(entry);
        if (entry.onAnotherStream()) {
          elsewhere.add(entry);
        }
      }
      row.points.forEach(point -> points.add(clock.place(point.endNanos())));
    }
    List<LanesLegend> legend = new ArrayList<>();
    bars.forEach(
        (style, entries) ->
            legend.add(
                new LanesLegend(
                    style.letter + "  " + style.words + " (" + counts(entries) + ")",
                    style.color,
                    places(entries, clock))));
    if (!points.isEmpty()) {
      legend.add(new LanesLegend("◆  point (" + points.size() + ")", ChartFrame.INK, points));
    }
    if (!elsewhere.isEmpty()) {
      legend.add(
          new LanesLegend(
              "!  not on the stream asked (" + elsewhere.size() + ")",
              ChartFrame.ALARM,
              places(elsewhere, clock)));
    }
    return legend;
  }

  private static String counts(List<Entry> entries) {
    long calls = entries.stream().filter(entry -> entry.kind() == Kind.CALL).count();
    long runs = entries.size() - calls;
    if (runs == 0) {
      return String.valueOf(calls);
    }
    return calls + (calls == 1 ? " call, " : " calls, ") + Labels.runs((int) runs);
  }

  private static List<Double> places(List<Entry> entries, LaneClock clock) {
    return entries.stream().map(entry -> clock.place(entry.beginNanos())).toList();
  }
}
