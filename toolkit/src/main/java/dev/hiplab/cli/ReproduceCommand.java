package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.race.Campaign;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.Commands;
import dev.hiplab.race.CommandsBuilder;
import dev.hiplab.race.Settings;
import dev.hiplab.race.ShellWord;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a scenario's forms in fresh processes. */
@Command(
    name = "reproduce",
    description =
        "Runs scenarios, or a command, in fresh processes, each form in turn, and says what"
            + " happened.",
    footer = "Exit code: 0; 1 when a forbidden outcome was seen; 2 when it could not be run.",
    mixinStandardHelpOptions = true)
final class ReproduceCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "SCENARIO",
      description =
          "an id (see list), the number of an issue (2198, 2200), all, the .java file of a"
              + " scenario of your own, or the name of a class on the class path")
  private List<String> scenarios = new ArrayList<>();

  @Option(
      names = "--forms",
      split = ",",
      paramLabel = "FORM",
      description = "forms to run, such as FILED,FIXED (default: all of them)")
  private List<String> forms = new ArrayList<>();

  @Option(
      names = "--way",
      split = ",",
      paramLabel = "WAY",
      description = "natural, delayed, forced, or one order such as forced:leak (default: all)")
  private List<String> ways = new ArrayList<>();

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "processes at a time; they disturb each other's timing (default: 1)")
  int jobs = 1;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "fresh processes of each form and way (default: ${DEFAULT-VALUE})")
  int runs = 10;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed of the first run's inputs (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      description = "after which a run is a hang (default: ${DEFAULT-VALUE})")
  private long deadline = Campaign.DEADLINE.toSeconds();

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "where to write (default: a new folder in hiplab-runs)")
  Path out;

  @Option(names = "--resume", description = "finish the same campaign that is in --out")
  boolean resume;

  @Option(
      names = "--trace",
      description =
          "each run writes who called and what ran when to traces/ (it is timed differently then)")
  private boolean trace;

  @Mixin private AgainOptions again = new AgainOptions();

  @Mixin CommandOptions command = new CommandOptions();

  @Mixin DeviceOptions device = new DeviceOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (resume && out == null) {
      throw new ParameterException(
          spec.commandLine(), "--resume needs --out FOLDER, the folder of the campaign to finish");
    }
    if (again.from != null) {
      again.check(spec, scenarios);
      return new Again(this, again).run();
    }
    if (again.trust) {
      throw wrong("--trust belongs to --from FILE");
    }
    checkWhat();
    return command.text == null ? scenarios() : command();
  }

  /** Scenarios or a command, and the options of that one only. */
  private void checkWhat() {
    boolean scenario = !scenarios.isEmpty();
    if (scenario == (command.text != null)) {
      throw wrong(
          scenario
              ? "either scenarios or --command TEXT can be run, not both at once"
              : "name a scenario (list shows them), the number of an issue, or all; or give"
                  + " --command TEXT");
    }
    if (scenario && !command.used().isEmpty()) {
      throw wrong(command.used() + " belongs to --command TEXT; leave it out for scenarios");
    }
    for (String name :
        List.of("--forms", "--way", "--driver", "--profile", "--devices", "--trace")) {
      if (!scenario && spec.commandLine().getParseResult().hasMatchedOption(name)) {
        throw wrong(name + " belongs to scenarios; a command has arms: --arm NAME");
      }
    }
  }

  /** Whether the option was given. */
  boolean given(String name) {
    return spec.commandLine().getParseResult().hasMatchedOption(name);
  }

  ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private int scenarios() {
    try (Progress progress = new Progress(Terminal.showsProgress())) {
      Campaign.Builder builder =
          Campaign.of(scenarios.toArray(new String[0]))
              .forms(forms.toArray(new String[0]))
              .ways(ways.toArray(new String[0]))
              .jobs(jobs)
              .runs(runs)
              .seed(seed)
              .driver(device.driver)
              .profile(device.profile)
              .hostDevices(device.toOptions().hostDevices())
              .deadline(Duration.ofSeconds(deadline))
              .resume(resume)
              .trace(trace)
              .listener(progress);
      Campaign campaign = (out == null ? builder : builder.out(out)).build();
      return run(campaign::run, campaign.folder(), campaign.settings(), jobs, progress);
    }
  }

  private int command() {
    try (Progress progress = new Progress(Terminal.showsProgress())) {
      CommandsBuilder builder =
          command
              .builder()
              .jobs(jobs)
              .runs(runs)
              .seed(seed)
              .deadline(Duration.ofSeconds(deadline))
              .resume(resume)
              .listener(progress);
      Commands commands = (out == null ? builder : builder.out(out)).build();
      return run(commands::run, commands.folder(), commands.settings(), jobs, progress);
    }
  }

  static int run(
      Supplier<CampaignResult> campaign, Path folder, Settings asked, int jobs, Progress progress) {
    try (Interrupt interrupt = Interrupt.guard()) {
      CampaignResult result = campaign.get();
      progress.close();
      return report(folder, asked, jobs, result);
    }
  }

  private static int report(Path folder, Settings asked, int jobs, CampaignResult result) {
    if (!result.records().isEmpty()) {
      System.out.println(ResultText.of(result));
    }
    if (!result.complete()) {
      System.out.println("stopped; finish with: " + resumeCommand(folder, asked, jobs));
    }
    return result.forbidden().isEmpty() ? 0 : Main.FORBIDDEN;
  }

  static String resumeCommand(Path folder, Settings asked, int jobs) {
    Settings settings;
    try {
      settings = Settings.in(folder);
    } catch (HiplabException stoppedBefore) {
      settings = asked;
    }
    return asTyped(settings.command(), System.getProperty("java.class.path", ""))
        + (jobs == 1 ? "" : " --jobs " + jobs)
        + " --out "
        + ShellWord.of(folder.toString())
        + " --resume";
  }

  /** The command with the jar that is running, so that it can be pasted here. */
  static String asTyped(String command, String classPath) {
    boolean jar = classPath.endsWith(".jar") && classPath.indexOf(File.pathSeparatorChar) < 0;
    String generic = "java -jar toolkit.jar";
    return jar && command.startsWith(generic)
        ? "java -jar " + ShellWord.of(classPath) + command.substring(generic.length())
        : command;
  }
}
