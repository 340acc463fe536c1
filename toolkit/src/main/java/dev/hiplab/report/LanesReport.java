package dev.hiplab.report;

import dev.hiplab.Timeline;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.knowm.xchart.XYChart;

/** The lanes of a traced campaign as files: one run of FILED and one of FIXED. */
public final class LanesReport {
  static final Predicate<RunRecord> FAILED = run -> Outcome.FAILURES.contains(run.outcome());

  private LanesReport() {}

  /**
   * Writes {@code lanes-FILED.png} of the first run of FILED that failed and has a timeline, and
   * {@code lanes-FIXED.png} of the first of FIXED that has one; nothing where there is none.
   *
   * @return the files
   */
  public static List<Path> write(Path folder, CampaignResult result) {
    List<Path> files = new ArrayList<>();
    charts(result)
        .forEach(
            (form, chart) -> files.add(Plots.png(chart, folder.resolve("lanes-" + form + ".png"))));
    return files;
  }

  /** The same as charts, by form; empty where no run has a timeline. */
  public static Map<String, XYChart> charts(CampaignResult result) {
    Map<String, XYChart> charts = new LinkedHashMap<>();
    add(charts, result, Form.FILED, FAILED);
    add(charts, result, Form.FIXED, run -> true);
    return charts;
  }

  private static void add(
      Map<String, XYChart> charts,
      CampaignResult result,
      String form,
      Predicate<RunRecord> wanted) {
    Optional<RunRecord> run = traced(result, form, wanted);
    if (run.isPresent()) {
      Timeline timeline = result.timeline(run.get()).orElseThrow();
      charts.put(form, LanesPlot.of(run.get(), timeline));
    }
  }

  /** The first wanted run of a form that has a timeline. */
  static Optional<RunRecord> traced(
      CampaignResult result, String form, Predicate<RunRecord> wanted) {
    return result.records().stream()
        .filter(run -> run.form().equals(form) && wanted.test(run))
        .filter(run -> result.timeline(run).isPresent())
        .findFirst();
  }
}
