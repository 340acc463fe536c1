package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.race.Arm;
import dev.hiplab.race.Campaign;
import dev.hiplab.race.CampaignSettings;
import dev.hiplab.race.CommandSettings;
import dev.hiplab.race.Commands;
import dev.hiplab.race.CommandsBuilder;
import dev.hiplab.race.Expectation;
import dev.hiplab.race.ShellWord;
import dev.hiplab.report.OutFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs campaigns again that a bundle or a folder holds. */
final class Again {
  private final ReproduceCommand asked;
  private final AgainOptions options;

  Again(ReproduceCommand asked, AgainOptions options) {
    this.asked = asked;
    this.options = options;
  }

  /** The exit code: the largest of its campaigns. */
  int run() throws IOException {
    List<Kept> kept = read(); // then the bundle is closed: what runs needs nothing of it
    for (Kept campaign : kept) {
      campaign.describe().forEach(System.out::println);
    }
    boolean code = kept.stream().anyMatch(Kept::isCode);
    if (code && !options.trust) {
      throw asked.wrong(
          options.from
              + " brings code of its own, as said above; read it, then add --trust to run it");
    }
    Path base = asked.out == null ? OutFolder.fresh("again") : asked.out;
    int worst = 0;
    for (Kept campaign : kept) {
      Path out = kept.size() == 1 ? base : base.resolve(campaign.name());
      worst = Math.max(worst, run(campaign, out));
      if (Thread.currentThread().isInterrupted()) {
        return worst; // Ctrl-C is meant for the rest of them too
      }
    }
    System.out.println(
        "compare: "
            + ReproduceCommand.asTyped(
                "java -jar toolkit.jar report ", System.getProperty("java.class.path", ""))
            + ShellWord.of(options.from.toString())
            + " "
            + ShellWord.of(base.toString()));
    return worst;
  }

  private List<Kept> read() throws IOException {
    try (Opened source = Opened.of(options.from)) {
      List<Path> campaigns = source.campaigns();
      if (campaigns.isEmpty()) {
        throw new HiplabException(
            options.from + " holds no campaign; give a bundle, or a folder that reproduce wrote");
      }
      List<Kept> kept = new ArrayList<>();
      for (Path campaign : campaigns) {
        kept.add(Kept.read(source, campaign));
      }
      return kept;
    }
  }

  private int run(Kept campaign, Path out) {
    int jobs = asked.given("--jobs") ? asked.jobs : campaign.jobs();
    return campaign.settings() instanceof CampaignSettings settings
        ? scenarios(settings, campaign.sources(), out, jobs)
        : command((CommandSettings) campaign.settings(), out, jobs);
  }

  private int scenarios(
      CampaignSettings settings, Map<String, String> sources, Path out, int jobs) {
    if (!asked.command.arms.isEmpty()) {
      throw asked.wrong("--arm belongs to a command; the campaign runs scenarios");
    }
    try (Progress progress = new Progress(Terminal.showsProgress())) {
      Campaign.Builder builder =
          Campaign.again(settings, sources)
              .jobs(jobs)
              .out(out)
              .resume(asked.resume)
              .listener(progress);
      if (asked.given("--driver")) {
        builder.driver(asked.device.driver);
        if (!asked.device.driver.equals(settings.driver())) {
          builder.profile("").hostDevices(0); // the other driver's
        }
      }
      if (asked.given("--profile")) {
        builder.profile(asked.device.profile);
      }
      if (asked.given("--devices")) {
        builder.hostDevices(asked.device.toOptions().hostDevices());
      }
      if (asked.given("--runs")) {
        builder.runs(asked.runs);
      }
      Campaign campaign = builder.build();
      return ReproduceCommand.run(campaign::run, out, campaign.settings(), jobs, progress);
    }
  }

  private int command(CommandSettings settings, Path out, int jobs) {
    for (String name : List.of("--driver", "--profile", "--devices")) {
      if (asked.given(name)) {
        throw asked.wrong(name + " belongs to scenarios; the campaign runs a command");
      }
    }
    try (Progress progress = new Progress(Terminal.showsProgress())) {
      CommandsBuilder builder =
          Commands.again(settings, folders())
              .jobs(jobs)
              .out(out)
              .resume(asked.resume)
              .listener(progress);
      if (asked.given("--runs")) {
        builder.runs(asked.runs);
      }
      Commands commands = builder.build();
      return ReproduceCommand.run(commands::run, out, commands.settings(), jobs, progress);
    }
  }

  /** Where the folders of arms are here. */
  private Map<String, Path> folders() {
    Map<String, Path> folders = new HashMap<>();
    for (String text : asked.command.arms) {
      Arm arm = Arm.of(text);
      boolean folderOnly =
          arm.environment().isEmpty()
              && arm.command().isEmpty()
              && arm.expectation() == Expectation.NONE;
      if (!text.contains(":") || !folderOnly) {
        throw asked.wrong(
            "with --from an arm keeps what it runs; say --arm " + arm.name() + ":dir=FOLDER");
      }
      folders.put(arm.name(), arm.folder());
    }
    return folders;
  }
}
