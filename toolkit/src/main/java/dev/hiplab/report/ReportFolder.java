package dev.hiplab.report;

import dev.hiplab.Candidate;
import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.FormCost;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.html.CampaignPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.internal.chartpart.Chart;

/** A campaign's tables and plots as files. */
public final class ReportFolder {
  private ReportFolder() {}

  /**
   * Writes {@code runs.csv}, {@code summary.csv}, {@code summary.md}, the plots {@code outcomes}
   * and {@code times} as PNG and SVG; of runs of {@code bench forms} {@code costs.md} and its plot,
   * of a survey {@code candidates.csv} and the plot {@code workspace}, of a traced campaign {@code
   * lanes-FILED.png} and {@code lanes-FIXED.png} (a timeline that cannot be read is left out, with
   * a line on standard error); then {@code report.html}, which holds all of that. Tables first:
   * they are there even when the machine cannot draw.
   *
   * @param folder made when it is not there; files of these names are replaced
   * @param records at least one
   * @return the files, in the order of writing
   */
  public static List<Path> write(Path folder, List<RunRecord> records) {
    return write(folder, CampaignRuns.of(records));
  }

  /** The same of runs of which more is known than their records say. */
  public static List<Path> write(Path folder, CampaignRuns runs) {
    List<RunRecord> records = runs.records();
    if (folder.toString().isBlank()) {
      throw new HiplabException("the folder to write has an empty name; name a folder");
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new HiplabException(folder + " is a file; name a folder for the report");
    }
    List<Path> files = new ArrayList<>();
    files.add(WellFormed.write(folder.resolve("runs.csv"), Tables.csv(RunTable.of(records))));
    files.add(
        WellFormed.write(folder.resolve("summary.csv"), Tables.csv(SummaryTable.of(records))));
    files.add(WellFormed.write(folder.resolve("summary.md"), ReviewComment.of(runs)));
    List<RunRecord> costs = records.stream().filter(FormCost::made).toList();
    if (!costs.isEmpty()) {
      files.add(
          WellFormed.write(folder.resolve("costs.md"), Tables.markdown(FormCostTable.of(costs))));
    }
    Map<String, List<Candidate>> candidates = SurveyedCandidates.of(records);
    if (!candidates.isEmpty()) {
      List<Candidate> all = candidates.values().stream().flatMap(List::stream).toList();
      files.add(
          WellFormed.write(folder.resolve("candidates.csv"), Tables.csv(CandidateTable.of(all))));
    }
    plot(files, folder, "outcomes", OutcomePlot.of(records));
    plot(files, folder, "times", RunTimePlot.of(records));
    if (!costs.isEmpty()) {
      plot(files, folder, "costs", CostPlot.of(costs));
    }
    if (!candidates.isEmpty()) {
      plot(files, folder, "workspace", WorkspacePlot.of(Origin.of(records), candidates));
    }
    for (CampaignResult campaign : runs.campaigns()) {
      files.addAll(LanesReport.write(folder, campaign));
    }
    files.add(WellFormed.write(folder.resolve("report.html"), CampaignPage.of(runs)));
    return files;
  }

  /** PNG for a comment, SVG for a page. */
  private static void plot(List<Path> files, Path folder, String name, Chart<?, ?> chart) {
    files.add(Plots.png(chart, folder.resolve(name + ".png")));
    files.add(Plots.svg(chart, folder.resolve(name + ".svg")));
  }
}
