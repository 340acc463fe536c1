package dev.hiplab.report;

import dev.hiplab.Candidate;
import dev.hiplab.HiplabException;
import dev.hiplab.race.FormCost;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.html.CampaignPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A campaign's tables and plots as files. */
public final class ReportFolder {
  private ReportFolder() {}

  /**
   * Writes {@code runs.csv}, {@code summary.csv}, {@code summary.md}, {@code outcomes.png}, {@code
   * times.png} and {@code report.html}, which holds all of that, and {@code costs.md} of runs of
   * {@code bench forms}. Tables first: they are there even when the machine cannot draw.
   *
   * @param folder made when it is not there; files of these names are replaced
   * @param records at least one
   * @return the files, in the order of writing
   */
  public static List<Path> write(Path folder, List<RunRecord> records) {
    return write(folder, records, Map.of());
  }

  /** The same of runs of which more is known than their records say. */
  public static List<Path> write(Path folder, CampaignRuns runs) {
    return write(folder, runs, Map.of());
  }

  /**
   * The same, and {@code workspace.png} and {@code candidates.csv} when there are candidates.
   *
   * @param candidates name (such as a profile) to what the heuristic offered there
   */
  public static List<Path> write(
      Path folder, List<RunRecord> records, Map<String, List<Candidate>> candidates) {
    return write(folder, CampaignRuns.of(records), candidates);
  }

  private static List<Path> write(
      Path folder, CampaignRuns runs, Map<String, List<Candidate>> candidates) {
    List<RunRecord> records = runs.records();
    if (folder.toString().isBlank()) {
      throw new HiplabException("the folder to write has an empty name; name a folder");
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new HiplabException(folder + " is a file; name a folder for the report");
    }
    List<Path> files = new ArrayList<>();
    files.add(text(folder.resolve("runs.csv"), Tables.csv(RunTable.of(records))));
    files.add(text(folder.resolve("summary.csv"), Tables.csv(SummaryTable.of(records))));
    files.add(text(folder.resolve("summary.md"), ReviewComment.of(runs)));
    List<RunRecord> costs = records.stream().filter(FormCost::made).toList();
    if (!costs.isEmpty()) {
      files.add(text(folder.resolve("costs.md"), Tables.markdown(FormCostTable.of(costs))));
    }
    if (!candidates.isEmpty()) {
      List<Candidate> all = candidates.values().stream().flatMap(List::stream).toList();
      files.add(text(folder.resolve("candidates.csv"), Tables.csv(CandidateTable.of(all))));
    }
    files.add(Plots.png(OutcomePlot.of(records), folder.resolve("outcomes.png")));
    files.add(Plots.png(RunTimePlot.of(records), folder.resolve("times.png")));
    if (!candidates.isEmpty()) {
      files.add(
          Plots.png(
              WorkspacePlot.of(Origin.of(records), candidates), folder.resolve("workspace.png")));
    }
    files.add(text(folder.resolve("report.html"), CampaignPage.of(runs)));
    return files;
  }

  private static Path text(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The report could not be written to " + file + ": " + e.getMessage(), e);
    }
  }
}
