package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs the command of a campaign and writes down what became of it. */
final class CommandRunner implements RunMaker<CommandRun> {
  /** Driver of such runs: what they run on is the command's business. */
  static final String DRIVER = "command";

  /** Sub-folder of a campaign with what its runs printed. */
  static final String OUTPUT = "output";

  private final CommandSettings settings;
  private final Path out;

  /**
   * For a campaign.
   *
   * @param out its folder
   */
  CommandRunner(CommandSettings settings, Path out) {
    this.settings = settings;
    this.out = out;
  }

  /** What a listener is told that the campaign runs on. */
  static Map<String, String> environment(CommandSettings settings) {
    Map<String, String> environment = surroundings();
    environment.put("detail", settings.inWords());
    return environment;
  }

  private static Map<String, String> surroundings() {
    Map<String, String> environment = new TreeMap<>(Surroundings.of(Map.of()));
    environment.remove("version.java"); // this process's, of which the command knows nothing
    environment.put("driver", DRIVER);
    return environment;
  }

  @Override
  public RunRecord run(String campaign, CommandRun planned)
      throws IOException, InterruptedException {
    Arm arm = planned.arm();
    long seed = settings.seed() + planned.run();
    Map<String, String> environment = environment(arm);
    CommandOutput output = new CommandOutput(settings);
    Map<String, String> variables = new TreeMap<>(arm.environment());
    variables.putIfAbsent("HIPLAB_SEED", Long.toString(seed));
    variables.putIfAbsent("HIPLAB_ARM", arm.name());
    Path printed = out.resolve(OUTPUT).resolve(arm.name() + "-" + planned.run() + ".txt");
    String startedAt = Instant.now().toString();
    CommandExit exit;
    try (OutputFile file = new OutputFile(printed)) {
      exit =
          CommandProcess.run(
              settings.text(arm), arm.folder(), variables, settings.deadline(), output::take, file);
    }
    output.check();
    List<CommandOutput.Match> matches = output.matches();
    if (exit.notFound() && matches.isEmpty()) {
      throw new HiplabException(notFound(planned, exit, output.lastWords()));
    }
    CommandVerdict verdict = CommandVerdict.of(exit, matches, output.lastWords());
    return new RunRecord(
        campaign,
        settings.name(),
        arm.name(),
        planned.way(),
        planned.run(),
        seed,
        verdict.outcome(),
        arm.expectation().form(arm.name()).grade(verdict.outcome()),
        verdict.detail(),
        Math.rint(exit.wallMillis() * 1000) / 1000,
        Double.NaN,
        exit.code(),
        verdict.signal(),
        "",
        Map.of(),
        output.counters(),
        environment,
        "natural",
        List.of(),
        settings.single(arm, seed).command(),
        startedAt);
  }

  private Map<String, String> environment(Arm arm) throws InterruptedException {
    Map<String, String> environment = surroundings();
    arm.environment().forEach((name, value) -> environment.computeIfPresent(name, (n, v) -> value));
    arm.environment().forEach((name, value) -> environment.put("env." + name, value));
    environment.put("command", settings.text(arm));
    environment.put("folder", arm.folder().toString());
    environment.putAll(GitState.of(arm.folder()));
    return environment;
  }

  /** Not an outcome: a command that did not run would count as one that failed. */
  private String notFound(CommandRun planned, CommandExit exit, String lastWords) {
    return "run "
        + planned.run()
        + " of arm '"
        + planned.arm().name()
        + "' in "
        + planned.arm().folder()
        + " ended with exit code "
        + exit.code()
        + ", by which a shell says that it could not run a command"
        + (lastWords.isEmpty() ? "" : " (" + lastWords + ")")
        + ", which is no outcome; correct it, or give a pattern (--outcome) for a line that it"
        + " prints; the runs before it are kept";
  }
}
