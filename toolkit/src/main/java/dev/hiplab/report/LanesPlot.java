package dev.hiplab.report;

import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Timeline;
import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Lane;
import dev.hiplab.Timeline.LaneKind;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Who enqueued and what ran when: a lane for each thread with its calls and the points that it
 * passed, below them a lane for each stream with what ran there, and a thin line from a call to its
 * run. Work that ran on another stream than it was meant for has a thick frame and says which one
 * was asked for. Milliseconds since the trace began.
 */
public final class LanesPlot {
  private static final double NAMES_PIXELS = 112; // of the lanes
  private static final double PLOT_PIXELS = 860; // nearly, for the layout
  private static final int AROUND = 140; // title, axis, legend
  private static final int LOWEST = 14; // for the lengths of what is cut out
  private static final String TITLE = "Who enqueued and what ran when";

  private LanesPlot() {}

  /**
   * A run of a campaign: around the points of its schedule, or its first few dozen GEMMs, kernels
   * and launches. Of a forced run, long stretches in which nothing begins or ends are cut out,
   * marked with their length.
   */
  public static XYChart of(RunRecord run, Timeline timeline) {
    given(run, timeline);
    String schedule = run.way().equals("natural") ? "" : run.schedule();
    LaneWindow window = LaneWindow.of(timeline, schedule);
    return draw(
        new Head(title(run), Origin.of(List.of(run)), LaneWindow.places(schedule)),
        timeline,
        schedule.isEmpty()
            ? LaneClock.even(window)
            : LaneClock.cutting(window, shown(timeline, window)));
  }

  /**
   * The first run of a form that failed and has a timeline, else the first that has one.
   *
   * @throws HiplabException when no run of the form has a timeline
   */
  public static XYChart of(CampaignResult result, String form) {
    LanesReport.Traced found =
        LanesReport.traced(result, form, LanesReport.FAILED)
            .or(() -> LanesReport.traced(result, form, any -> true))
            .orElseThrow(
                () ->
                    new HiplabException(
                        "no run of form "
                            + form
                            + " in "
                            + result.folder()
                            + " has a timeline; run the campaign with trace(true) (--trace), and"
                            + " name a form that it ran"));
    return of(found.run(), found.timeline());
  }

  /** The part of a run between two times, in milliseconds since its trace began, uncut. */
  public static XYChart of(RunRecord run, Timeline timeline, double fromMillis, double toMillis) {
    given(run, timeline);
    Set<String> places = LaneWindow.places(run.way().equals("natural") ? "" : run.schedule());
    return draw(
        new Head(title(run), Origin.of(List.of(run)), places),
        timeline,
        LaneClock.even(window(fromMillis, toMillis)));
  }

  /** What this process did on a device: its first few dozen GEMMs, kernels and launches. */
  public static XYChart of(Device device, Timeline timeline) {
    return draw(
        new Head(TITLE, Origin.of(device), Set.of()),
        timeline,
        LaneClock.even(LaneWindow.of(timeline, "")));
  }

  /** The part between two times, in milliseconds since the trace began, uncut. */
  public static XYChart of(Device device, Timeline timeline, double fromMillis, double toMillis) {
    return draw(
        new Head(TITLE, Origin.of(device), Set.of()),
        timeline,
        LaneClock.even(window(fromMillis, toMillis)));
  }

  private record Head(String title, String origin, Set<String> places) {}

  private static String title(RunRecord run) {
    String way = run.way().equals("natural") ? "" : " " + run.way();
    return run.scenario() + " " + run.form() + way + ", run " + run.run() + ": " + run.outcome();
  }

  private static LaneWindow window(double fromMillis, double toMillis) {
    if (!(fromMillis >= 0 && toMillis > fromMillis)) {
      throw new IllegalArgumentException(
          "The window is "
              + fromMillis
              + " to "
              + toMillis
              + " ms; it begins at 0 or later and ends after it begins.");
    }
    return new LaneWindow((long) (fromMillis * 1e6), (long) Math.ceil(toMillis * 1e6));
  }

  private static List<Entry> shown(Timeline timeline, LaneWindow window) {
    return timeline.entries().stream().filter(window::shows).toList();
  }

  private static XYChart draw(Head head, Timeline timeline, LaneClock clock) {
    List<LaneRow> rows = rows(timeline, shown(timeline, clock.window), head.places);
    List<LanesLegend> legend = LanesLegend.of(rows, clock);
    boolean beside = LanesLegend.width(legend) > ChartFrame.WIDTH - 30; // more than a line holds
    double plot = PLOT_PIXELS - (beside ? LanesLegend.column(legend) : 0);
    double perPlace = (plot - NAMES_PIXELS - widestPointName(rows)) / clock.width;
    LongToDoubleFunction x = nanos -> clock.place(nanos) * perPlace;
    int height = LOWEST + rows.stream().mapToInt(row -> row.height(x)).sum();
    XYChart chart =
        ChartFrame.create(
            head.title,
            head.origin + told(timeline),
            "milliseconds since the trace began",
            "",
            Math.max(300, height + AROUND));
    chart.getStyler().setXAxisMin(-NAMES_PIXELS / perPlace);
    chart.getStyler().setXAxisMax((plot - NAMES_PIXELS) / perPlace);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax((double) height);
    LaneLayer layer = new LaneLayer(rows, clock, height, x);
    for (LanesLegend line :
        legend) { // the series carry the data and the legend; the layer draws it
      List<Double> middle = new ArrayList<>(line.at());
      middle.replaceAll(unused -> height / 2.0); // see Layer.legendMarker
      XYSeries series = chart.addSeries(line.name(), line.at(), middle);
      ChartFrame.drawnBy(layer, series, line.color());
    }
    if (beside) {
      chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
      chart.getStyler().setLegendLayout(LegendLayout.Vertical);
    }
    chart.addAnnotation(Ticks.of(clock));
    chart.addAnnotation(layer);
    return chart;
  }

  private static void given(RunRecord run, Timeline timeline) {
    if (run == null || timeline == null) {
      throw new HiplabException(
          "LanesPlot.of needs a run and its timeline, such as result.timeline(run).orElseThrow(),"
              + " not null");
    }
  }

  private static String told(Timeline timeline) {
    String dropped = timeline.dropped() == 0 ? "" : ", " + timeline.dropped() + " entries dropped";
    return " · traced (" + timeline.runs() + dropped + ")";
  }

  /** Lanes with something in the window, or that something there was meant for. */
  private static List<LaneRow> rows(Timeline timeline, List<Entry> shown, Set<String> places) {
    List<LaneRow> rows = new ArrayList<>();
    for (Lane lane : timeline.lanes()) {
      List<Entry> in = shown.stream().filter(entry -> entry.lane().equals(lane)).toList();
      boolean asked =
          lane.kind() == LaneKind.STREAM
              && shown.stream().anyMatch(e -> e.onAnotherStream() && e.asked().equals(lane.name()));
      if (!in.isEmpty() || asked) {
        rows.add(new LaneRow(lane, in, places));
      }
    }
    rows.sort(LaneRow.ORDER);
    return rows;
  }

  /** Names of points stand right of them, so the last ones need room beyond the window. */
  private static double widestPointName(List<LaneRow> rows) {
    double widest = 0;
    for (LaneRow row : rows) {
      for (Entry point : row.named()) {
        widest = Math.max(widest, row.width(point));
      }
    }
    return Math.min(widest, 180) + 8;
  }
}
