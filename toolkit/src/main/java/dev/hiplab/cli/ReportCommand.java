package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignFolders;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunLog;
import dev.hiplab.race.RunRecord;
import dev.hiplab.race.Settings;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.FindingsPage;
import dev.hiplab.report.OutFolder;
import dev.hiplab.report.ReportFolder;
import dev.hiplab.report.ReviewComment;
import dev.hiplab.report.sides.SideComment;
import dev.hiplab.report.sides.SideReport;
import dev.hiplab.report.sides.Sides;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tables and plots of campaigns that were run before. */
@Command(
    name = "report",
    description =
        "Writes a campaign's report: report.html with all of it, summary.md for a review comment,"
            + " tables (CSV) and plots (PNG); or of several campaigns beside each other.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  private static final String NAME = "report";

  @Parameters(
      arity = "1..*",
      paramLabel = "FOLDER",
      description =
          "what reproduce wrote, or a folder of such: each campaign is reported; of several folders"
              + " one report, with each of them beside the others")
  private List<Path> folders;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "where to write (default: report, in the campaign's folder; for folders beside each other"
              + " a new one in hiplab-runs); of several campaigns each gets a folder in it")
  private Path out;

  @Option(
      names = "--findings",
      paramLabel = "FILE",
      description = "writes one Markdown page on all campaigns in the folder, and no reports")
  private Path findings;

  @Option(
      names = "--markdown",
      description = "prints the review comment on all runs in the folder, and writes nothing")
  private boolean markdown;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (folders.size() == 1) {
      return one(folders.get(0));
    }
    if (findings != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--findings makes a page on one folder; name one that holds them all");
    }
    return sides(SideBySide.read(folders, folders));
  }

  private int sides(Sides sides) {
    if (markdown) {
      System.out.print(SideComment.of(sides));
      return 0;
    }
    Path target = out == null ? OutFolder.fresh(NAME) : out;
    for (Path file : SideReport.write(target, sides)) {
      System.out.println("wrote " + file);
    }
    return 0;
  }

  private int one(Path folder) throws IOException {
    List<Path> campaigns = CampaignFolders.under(folder);
    if (markdown) {
      List<Path> all = campaigns.isEmpty() ? List.of(folder) : campaigns;
      System.out.print(ReviewComment.of(CampaignRuns.read(folder.toString(), all)));
      return 0;
    }
    if (findings != null) {
      return findings(folder, campaigns);
    }
    if (campaigns.isEmpty() || campaigns.equals(List.of(folder))) {
      boolean isLog = Files.isRegularFile(folder);
      report(
          folder, out == null ? (isLog ? folder.resolveSibling(NAME) : folder.resolve(NAME)) : out);
      return 0;
    }
    System.out.println(folder + " holds campaigns in sub-folders: " + campaigns.size());
    int code = 0;
    for (Path campaign : campaigns) {
      System.out.println();
      Path target = out == null ? campaign.resolve(NAME) : out.resolve(folder.relativize(campaign));
      try {
        report(campaign, target);
      } catch (HiplabException | UncheckedIOException wrong) {
        code = Main.failed(wrong); // the others can be reported all the same
      }
    }
    return code;
  }

  private int findings(Path folder, List<Path> campaigns) throws IOException {
    Set<RunRecord> runs = new LinkedHashSet<>(); // a copy of a campaign adds nothing
    Set<String> commands = new LinkedHashSet<>();
    for (Path campaign : campaigns) {
      List<RunRecord> its = RunLog.read(campaign);
      runs.addAll(its);
      String jobs = its.isEmpty() ? null : its.get(0).environment().get("jobs");
      String command = Settings.in(campaign).command() + (jobs == null ? "" : " --jobs " + jobs);
      commands.add(command);
    }
    if (runs.isEmpty()) {
      throw new HiplabException(folder + " holds no runs; give a folder that reproduce wrote");
    }
    Files.createDirectories(findings.toAbsolutePath().getParent());
    Files.writeString(findings, FindingsPage.of(List.copyOf(commands), List.copyOf(runs)));
    System.out.println("wrote " + findings);
    return 0;
  }

  private static void report(Path campaign, Path target) throws IOException {
    CampaignRuns report = CampaignRuns.read(campaign.toString(), List.of(campaign));
    List<RunRecord> runs = report.records();
    // One device or, of a command, one for each arm.
    runs.stream()
        .map(run -> Progress.firstLine(run.environment()))
        .distinct()
        .forEach(System.out::println);
    System.out.println(new CampaignResult(runs, campaign, runs.size()));
    for (Path file : ReportFolder.write(target, report)) {
      System.out.println("wrote " + file);
    }
  }
}
