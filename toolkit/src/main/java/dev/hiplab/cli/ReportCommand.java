package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.OutFolder;
import dev.hiplab.report.ReportFolder;
import dev.hiplab.report.ReviewComment;
import dev.hiplab.report.TerminalText;
import dev.hiplab.report.sides.SideComment;
import dev.hiplab.report.sides.SideReport;
import dev.hiplab.report.sides.Sides;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
            + " tables (CSV) and plots (PNG); or one of several campaigns beside each other; or a"
            + " bundle for another reviewer. See docs/reports.md.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "FOLDER",
      description =
          "what reproduce wrote, or a folder of such: each campaign is reported; or a bundle. Of"
              + " several folders or bundles one report, with each of them beside the others")
  private List<Path> named;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "where to write (default: report, in the campaign's folder; of a bundle, beside it; for"
              + " several folders a new one in hiplab-runs); of several campaigns each gets a"
              + " folder in it")
  private Path out;

  @Option(
      names = "--markdown",
      description = "prints the review comment on all runs in the folder, and writes nothing")
  private boolean markdown;

  @Option(
      names = "--bundle",
      paramLabel = "FILE",
      description =
          "writes the folder's campaigns and their report as one archive that another hiplab opens"
              + " (report FILE, reproduce --from FILE), and nothing else")
  private Path bundle;

  @Option(names = "--force", description = "--bundle replaces the file when it is there")
  private boolean force;

  @Option(
      names = "--findings",
      paramLabel = "FILE",
      description = "writes one Markdown page on all campaigns in the folder, and no reports")
  private Path findings;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    check();
    List<Opened> sources = new ArrayList<>();
    try {
      for (Path each : named) {
        sources.add(Opened.of(each));
      }
      return sources.size() == 1 ? one(sources.get(0)) : sides(SideBySide.read(sources));
    } finally {
      for (Opened source : sources) {
        source.close();
      }
    }
  }

  private void check() {
    long kinds = (markdown ? 1 : 0) + (bundle != null ? 1 : 0) + (findings != null ? 1 : 0);
    if (kinds > 1) {
      throw wrong("--markdown, --bundle and --findings are different reports; give one of them");
    }
    if (kinds > 0 && out != null) {
      throw wrong("--out is for reports in a folder; leave it out here");
    }
    if (force && bundle == null) {
      throw wrong("--force belongs to --bundle FILE");
    }
    if (named.size() > 1 && (findings != null || bundle != null)) {
      String name = findings != null ? "--findings" : "--bundle";
      throw wrong(name + " takes one folder; name one that holds all the campaigns");
    }
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private int sides(Sides sides) {
    if (markdown) {
      System.out.print(SideComment.of(sides));
      return 0;
    }
    Path target = out == null ? OutFolder.fresh("report") : out;
    for (Path file : SideReport.write(target, sides)) {
      System.out.println(TerminalText.line("wrote " + file));
    }
    return 0;
  }

  private int one(Opened source) throws IOException {
    if (bundle != null) {
      return Bundling.write(source, bundle, force);
    }
    List<Path> campaigns = source.campaigns();
    if (findings != null) {
      return FindingsFile.write(source, campaigns, findings);
    }
    if (markdown) {
      List<Path> all = campaigns.isEmpty() ? List.of(source.folder()) : campaigns;
      System.out.print(ReviewComment.of(CampaignRuns.read(source.typed().toString(), all)));
      return 0;
    }
    if (source.isOne(campaigns)) {
      Path campaign = campaigns.isEmpty() ? source.folder() : campaigns.get(0);
      report(source, campaign, out == null ? source.report(campaign, true) : out);
      return 0;
    }
    System.out.println(
        TerminalText.line(source.typed() + " holds campaigns in sub-folders: " + campaigns.size()));
    int code = 0;
    for (Path campaign : campaigns) {
      System.out.println();
      Path below = source.folder().relativize(campaign);
      try {
        report(source, campaign, out == null ? source.report(campaign, false) : out.resolve(below));
      } catch (HiplabException | UncheckedIOException wrong) {
        code = Main.failed(wrong); // the others can be reported all the same
      }
    }
    return code;
  }

  private static void report(Opened source, Path campaign, Path target) throws IOException {
    Path name = source.name(campaign);
    CampaignRuns report = CampaignRuns.read(name.toString(), List.of(campaign));
    List<RunRecord> runs = report.records();
    // One device or, of a command, one for each arm.
    runs.stream()
        .map(run -> Progress.firstLine(run.environment()))
        .distinct()
        .forEach(System.out::println);
    System.out.println(ResultText.of(new CampaignResult(runs, name, runs.size())));
    for (Path file : ReportFolder.write(target, report)) {
      System.out.println(TerminalText.line("wrote " + file));
    }
  }
}
