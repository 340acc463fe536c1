package dev.hiplab.report;

import dev.hiplab.Candidate;
import dev.hiplab.Device;
import dev.hiplab.measure.Survey;
import dev.hiplab.race.RunRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.XYChart;

/**
 * Workspace that each candidate of hipBLASLt's heuristic asks for: a bar a candidate, grouped by
 * shape, on a logarithmic axis of bytes. A candidate that asks for none is a ring on the zero line.
 */
public final class WorkspacePlot {
  /** The axis holds powers of two; a request below two bytes does not occur, so 0 means none. */
  private static final double TOP_AT_LEAST = 20;

  /** Pixels for the labels of the axis of bytes. */
  private static final int ROOM_LEFT = 62;

  private WorkspacePlot() {}

  /** One or more lists, told apart by colour when there are more. At least one candidate each. */
  @SafeVarargs
  public static XYChart of(List<Candidate>... lists) {
    Map<String, List<Candidate>> named = new LinkedHashMap<>();
    for (int i = 0; i < lists.length; i++) {
      named.put(lists.length == 1 ? "candidates" : "list " + (i + 1), lists[i]);
    }
    return of(Origin.notGiven(), named);
  }

  /** What a device's heuristic offered, in one colour. */
  public static XYChart of(Device device, List<Candidate> candidates) {
    return of(Origin.of(device), Map.of("candidates", candidates));
  }

  /**
   * What runs of {@code survey.workspace} were offered, by profile or device.
   *
   * @param records at least one of the survey
   */
  public static XYChart surveyed(List<RunRecord> records) {
    return of(Origin.of(Records.some(records)), SurveyedCandidates.of(records));
  }

  /** What a survey's candidates ask for, in one colour. */
  public static XYChart of(Survey survey) {
    return of(Origin.of(survey.place()), Map.of("candidates", survey.candidates()));
  }

  /**
   * @param origin the line below the title: device, profile, versions
   * @param lists name (such as a profile) to candidates; names are the legend
   */
  public static XYChart of(String origin, Map<String, List<Candidate>> lists) {
    if (lists.isEmpty() || lists.values().stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException(
          "There is no candidate to plot: a list is empty; ask a device for heuristics first.");
    }
    List<Candidate> all = lists.values().stream().flatMap(List::stream).toList();
    XYChart chart =
        ChartFrame.create(
            "Workspace that the heuristic's candidates ask for",
            origin,
            "",
            "bytes (log axis)",
            ChartFrame.HEIGHT);
    Columns columns = Columns.of(all, lists.size());
    double top = all.stream().mapToDouble(c -> height(c.workspaceBytes())).max().orElseThrow();
    double highest = Math.max(TOP_AT_LEAST, top + 1);
    chart.getStyler().setXAxisMin(0.0).setXAxisMax(columns.width());
    chart.getStyler().setYAxisMin(-highest * 0.17);
    chart.getStyler().setYAxisMax(highest * (columns.uprightNames() ? 1.8 : 1.18));
    chart.getStyler().setAxisTitlePadding(ROOM_LEFT);
    chart.addAnnotation(Ticks.left(highest, 5, WorkspacePlot::label));
    int list = 0;
    List<WorkspaceBars.Bar> bars = new ArrayList<>();
    WorkspaceBars layer = new WorkspaceBars(columns, bars);
    for (Map.Entry<String, List<Candidate>> entry : lists.entrySet()) {
      addSeries(chart, entry.getKey(), entry.getValue(), layer, list++, bars);
    }
    chart.addAnnotation(new ShapeNames(columns));
    chart.addAnnotation(layer);
    return chart;
  }

  private static void addSeries(
      XYChart chart,
      String name,
      List<Candidate> candidates,
      WorkspaceBars layer,
      int list,
      List<WorkspaceBars.Bar> bars) {
    double[] x = candidates.stream().mapToDouble(c -> layer.columns().x(c, list)).toArray();
    double[] y = candidates.stream().mapToDouble(c -> height(c.workspaceBytes())).toArray();
    long asking = candidates.stream().filter(c -> c.workspaceBytes() > 0).count();
    String legend = name + ": " + asking + " of " + candidates.size() + " ask for workspace";
    ChartFrame.drawnBy(layer, chart.addSeries(legend, x, y), WorkspaceBars.color(list));
    for (int i = 0; i < x.length; i++) {
      bars.add(new WorkspaceBars.Bar(x[i], y[i], list, candidates.get(i).index()));
    }
  }

  static double height(long bytes) {
    return bytes <= 1 ? 0 : Math.log(bytes) / Math.log(2);
  }

  /** Power of two to bytes in words; the axis' ticks are whole powers. */
  private static String label(double power) {
    if (power == 0) {
      return "0";
    }
    return bytes(Math.round(Math.pow(2, power)));
  }

  static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    String digits =
        value == Math.rint(value)
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, "%.1f", value);
    return digits + " " + units[unit];
  }

  /** Where bars stand: shapes side by side, within a shape list by list, within a list by index. */
  record Columns(List<String> shapes, int perList, int lists) {
    static Columns of(List<Candidate> all, int lists) {
      int perList = all.stream().mapToInt(Candidate::index).max().orElseThrow() + 1;
      String[] shapes = all.stream().map(Candidate::shape).distinct().toArray(String[]::new);
      return new Columns(Arrays.asList(shapes), perList, lists);
    }

    /** Whether a shape's name is wider than its bars, even word by word (7 pixels a letter). */
    boolean uprightNames() {
      int longest =
          shapes.stream()
              .flatMap(shape -> Arrays.stream(shape.split(" ")))
              .mapToInt(String::length)
              .max()
              .orElseThrow();
      return longest * 7 + 8 > (ChartFrame.WIDTH - 90.0) / shapes.size();
    }

    double group() {
      return perList * lists + lists - 1 + 1.5;
    }

    double width() {
      return group() * shapes.size();
    }

    double x(Candidate candidate, int list) {
      return x(candidate.shape(), candidate.index(), list);
    }

    double x(String shape, int index, int list) {
      return shapes.indexOf(shape) * group() + 1.25 + list * (perList + 1) + index;
    }
  }
}
