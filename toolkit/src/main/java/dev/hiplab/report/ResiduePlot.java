package dev.hiplab.report;

import dev.hiplab.Residue;
import dev.hiplab.ResidueRow;
import dev.hiplab.race.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;

/**
 * Error of each probe of mlxcel 2206 in units of 2^-26: a bar for each type of each profile or
 * device, grouped by the row of A; the largest of the row's outputs.
 */
public final class ResiduePlot {
  private static final String OFF = "off.";
  private static final String F16 = "f16.";

  private ResiduePlot() {}

  /** What one device came to. */
  public static XYChart of(Residue residue) {
    Map<String, Map<String, Double>> errors = new LinkedHashMap<>();
    for (ResidueRow row : residue.rows()) {
      errors
          .computeIfAbsent(row.type().toString(), any -> new LinkedHashMap<>())
          .put(row.pattern(), row.error() / ResidueTable.UNIT);
    }
    return of(residue.device(), errors);
  }

  /**
   * What runs of {@code numerics.residue} measured: of each profile, or device, the first.
   *
   * @param records at least one of the scenario
   */
  public static XYChart of(List<RunRecord> records) {
    Map<String, RunRecord> first = new LinkedHashMap<>();
    for (RunRecord run : Records.some(records)) {
      if (run.counters().keySet().stream().anyMatch(name -> name.startsWith(OFF))) {
        String profile = run.profile();
        first.putIfAbsent(
            profile.isEmpty() ? run.environment().getOrDefault("device", "device") : profile, run);
      }
    }
    Map<String, Map<String, Double>> errors = new LinkedHashMap<>();
    first.forEach((name, run) -> read(name, run, errors));
    if (errors.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no row to plot: none of "
              + Labels.runs(records.size())
              + " is of numerics.residue; give its records.");
    }
    return of(Origin.of(List.copyOf(first.values())), errors);
  }

  private static void read(String name, RunRecord run, Map<String, Map<String, Double>> errors) {
    for (Map.Entry<String, Long> counter : new TreeMap<>(run.counters()).entrySet()) {
      if (counter.getKey().startsWith(OFF)) {
        String row = counter.getKey().substring(OFF.length());
        boolean f16 = row.startsWith(F16);
        errors
            .computeIfAbsent(name + (f16 ? " f16" : " bf16"), any -> new LinkedHashMap<>())
            .put(
                f16 ? row.substring(F16.length()) : row,
                run.counters().getOrDefault("residue." + row, 0L).doubleValue());
      }
    }
  }

  private static XYChart of(String origin, Map<String, Map<String, Double>> errors) {
    List<String> rows = new ArrayList<>(Residue.patterns());
    rows.removeIf(row -> errors.values().stream().noneMatch(of -> of.containsKey(row)));
    ResidueBars layer = new ResidueBars(rows, new ArrayList<>(errors.values()));
    XYChart chart =
        ChartFrame.create(
            "Sums that are known exactly: error of each row",
            origin,
            "row of A against ones; a star: over and over, else zeros behind it",
            "largest error, units of 2^-26",
            ChartFrame.HEIGHT);
    chart.getStyler().setXAxisMin(0.0).setXAxisMax((double) rows.size());
    chart.getStyler().setYAxisMin(layer.lowest()).setYAxisMax(layer.highest());
    int series = 0;
    for (Map.Entry<String, Map<String, Double>> entry : errors.entrySet()) {
      double[] y = entry.getValue().values().stream().mapToDouble(ResidueBars::finite).toArray();
      long off = entry.getValue().values().stream().filter(error -> error != 0).count();
      String legend = entry.getKey() + ": " + off + " of " + y.length + " rows off";
      ChartFrame.drawnBy(
          layer, chart.addSeries(legend, new double[y.length], y), WorkspaceBars.color(series++));
    }
    chart.addAnnotation(layer);
    return chart;
  }
}
