package dev.hiplab.report.sides;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.OutcomePlot;
import dev.hiplab.report.RunTimePlot;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;

/** The plots of one scenario with the strips of the sides below each other. */
final class SidePlots {
  private SidePlots() {}

  static XYChart outcomes(Sides sides, String scenario) {
    return OutcomePlot.of(interleaved(sides, scenario));
  }

  static XYChart times(Sides sides, String scenario) {
    return RunTimePlot.of(interleaved(sides, scenario));
  }

  /**
   * The plots make a strip for each form and way, in the order in which they started: here the side
   * is part of the way, and a row's runs on one side start before those on the next.
   */
  private static List<RunRecord> interleaved(Sides sides, String scenario) {
    List<RunRecord> runs = new ArrayList<>();
    for (SideRow row : sides.rows(scenario)) {
      for (int side = 0; side < sides.count(); side++) {
        FormSummary its = row.sides().get(side);
        if (its != null) {
          String way = row.way() + " · " + sides.names().get(side);
          for (RunRecord run : its.records()) {
            runs.add(run.withWay(way).withStartedAt(String.format("%09d", runs.size())));
          }
        }
      }
    }
    return runs;
  }
}
