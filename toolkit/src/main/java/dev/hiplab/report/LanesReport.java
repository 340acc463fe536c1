package dev.hiplab.report;

import dev.hiplab.HiplabException;
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
import java.util.function.Consumer;
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
   * <p>A timeline that cannot be read is left out, with a line on standard error; its run counts as
   * having none.
   *
   * @return the files
   */
  public static List<Path> write(Path folder, CampaignResult result) {
    List<Path> files = new ArrayList<>();
    charts(result, System.err::println)
        .forEach(
            (form, chart) -> files.add(Plots.png(chart, folder.resolve("lanes-" + form + ".png"))));
    return files;
  }

  /**
   * The same as charts, by form; empty where no run has a timeline.
   *
   * @param leftOut gets a line for each timeline that cannot be read
   */
  public static Map<String, XYChart> charts(CampaignResult result, Consumer<String> leftOut) {
    Map<String, XYChart> charts = new LinkedHashMap<>();
    add(charts, result, Form.FILED, FAILED, leftOut);
    add(charts, result, Form.FIXED, run -> true, leftOut);
    return charts;
  }

  private static void add(
      Map<String, XYChart> charts,
      CampaignResult result,
      String form,
      Predicate<RunRecord> wanted,
      Consumer<String> leftOut) {
    traced(result, form, wanted, leftOut)
        .ifPresent(found -> charts.put(form, LanesPlot.of(found.run(), found.timeline())));
  }

  /** Tells the timelines that cannot be read of those that would be drawn, and draws nothing. */
  public static void tellLeftOut(CampaignResult result, Consumer<String> leftOut) {
    traced(result, Form.FILED, FAILED, leftOut);
    traced(result, Form.FIXED, run -> true, leftOut);
  }

  /** A run and its timeline. */
  record Traced(RunRecord run, Timeline timeline) {}

  /** The first wanted run of a form that has a timeline; those that cannot be read are told. */
  static Optional<Traced> traced(CampaignResult result, String form, Predicate<RunRecord> wanted) {
    return traced(result, form, wanted, System.err::println);
  }

  private static Optional<Traced> traced(
      CampaignResult result, String form, Predicate<RunRecord> wanted, Consumer<String> leftOut) {
    return result.records().stream()
        .filter(run -> run.form().equals(form) && wanted.test(run))
        .flatMap(run -> read(result, run, leftOut).map(lanes -> new Traced(run, lanes)).stream())
        .findFirst();
  }

  private static Optional<Timeline> read(
      CampaignResult result, RunRecord run, Consumer<String> leftOut) {
    try {
      return result.timeline(run);
    } catch (HiplabException torn) {
      String why = torn.getMessage().replace(result.folder() + "/", ""); // a page is given away
      leftOut.accept("lanes left out: " + why);
      return Optional.empty();
    }
  }
}
