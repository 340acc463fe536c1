package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunLog;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.ReportFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tables and plots of a campaign that was run before. */
@Command(
    name = "report",
    description = "Writes the tables (CSV, Markdown) and plots (PNG) of a campaign.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "what reproduce wrote")
  private Path folder;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "where to write (default: report, in the campaign's folder)")
  private Path out;

  @Override
  public Integer call() throws IOException {
    List<RunRecord> runs = RunLog.read(folder);
    if (runs.isEmpty()) {
      throw new HiplabException("the campaign in " + folder + " has no runs yet; resume it first");
    }
    System.out.println(Progress.firstLine(runs.get(0).environment()));
    System.out.println(new CampaignResult(runs, folder, runs.size()));
    for (Path file : ReportFolder.write(out == null ? folder.resolve("report") : out, runs)) {
      System.out.println("wrote " + file);
    }
    return 0;
  }
}
