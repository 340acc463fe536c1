package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import dev.hiplab.scenario.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Starts the children of a campaign and writes down what became of them. */
final class Runner implements RunMaker<PlannedRun> {
  private static final Duration PROBE_DEADLINE = Duration.ofSeconds(60);

  private static final PlannedRun PROBE =
      new PlannedRun("", new Probe(), Form.fixed(), Interleaving.natural(), 0);

  private final CampaignSettings settings;
  private final CampaignSettings chosen;
  private final ChildFiles files;
  private final Path folder;
  private final Map<String, String> environment;

  private Runner(
      CampaignSettings settings, ChildFiles files, Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.settings = settings;
    this.chosen = settings.on(environment);
    this.files = files;
    this.environment = environment;
  }

  /**
   * Makes what children need and asks one what it runs on.
   *
   * @param folder of the campaign, for the timelines of traced runs
   * @throws HiplabException when that child could not open its backend; the message is the child's
   */
  static Runner prepare(CampaignSettings settings, Set<Path> classPath, int jobs, Path folder)
      throws InterruptedException {
    ChildFiles files = ChildFiles.prepare(classPath);
    Exit exit = new Child(files, PROBE_DEADLINE).run(arguments(settings, PROBE, 0, "-"), Set.of());
    Verdict verdict = Verdict.of(PROBE.scenario(), exit, PROBE_DEADLINE.toSeconds());
    if (!exit.refused().isEmpty()) {
      throw new HiplabException(exit.refused());
    }
    if (verdict.outcome() == Outcome.ERROR) {
      throw new HiplabException(verdict.detail());
    }
    if (verdict.outcome() != Outcome.EXACT) {
      throw new HiplabException(
          "a child process could not open a backend: "
              + verdict.outcome()
              + ", "
              + verdict.detail());
    }
    Map<String, String> environment = environment(exit);
    environment.put("device", verdict.detail());
    if (jobs > 1) {
      environment.put("jobs", Integer.toString(jobs)); // they disturb each other's timing
    }
    if (settings.trace()) {
      environment.put("trace", "on"); // a traced run is timed differently
    }
    return new Runner(settings, files, folder, environment);
  }

  /** The settings with the device said that the children use. */
  CampaignSettings chosen() {
    return chosen;
  }

  /** Provider, reason, device and versions of the children. */
  Map<String, String> environment() {
    return environment;
  }

  /** Makes one run. Thread-safe: children do not share anything that they write. */
  @Override
  public RunRecord run(String campaign, PlannedRun planned) throws InterruptedException {
    Scenario scenario = planned.scenario();
    Form form = planned.form();
    long seed = settings.seed() + planned.run();
    String startedAt = Instant.now().toString();
    Exit exit =
        new Child(files, settings.deadline())
            .run(
                arguments(settings, planned, seed, timeline(planned)),
                scenario.stderrLines().keySet());
    if (!exit.refused().isEmpty()) {
      throw new HiplabException(refused(planned, exit.refused()));
    }
    if (!exit.started() || !exit.machineFault().isEmpty()) {
      throw new HiplabException(notStarted(planned, exit));
    }
    Verdict verdict = Verdict.of(scenario, exit, settings.deadline().toSeconds());
    Map<String, String> seen = new TreeMap<>(environment);
    seen.putAll(environment(exit));
    return new RunRecord(
        campaign,
        scenario.id(),
        form.name(),
        planned.interleaving().label(),
        planned.run(),
        seed,
        verdict.outcome(),
        form.grade(verdict.outcome()),
        verdict.detail(),
        micros(exit.wallMillis()),
        micros(Double.parseDouble(exit.report().getOrDefault("work", "NaN"))),
        exit.code(),
        verdict.crash().signal(),
        verdict.crash().frame(),
        verdict.lastPoints(),
        verdict.counters(),
        seen,
        schedule(planned.interleaving()),
        List.copyOf(ChildReport.under("order.", exit.report()).values()),
        command(planned, seed),
        startedAt);
  }

  /** A mistake in the scenario, which would be there in every run. */
  private static String refused(PlannedRun planned, String why) {
    return planned.scenario().id()
        + " cannot be run in form "
        + planned.form().name()
        + ", "
        + planned.interleaving().label()
        + ": "
        + why
        + "; mend the scenario";
  }

  /**
   * Not an outcome: the form has not run, or not to an end of its own. Such as the cache being
   * deleted under a campaign, a disk that is full, or no memory for another JVM.
   */
  private String notStarted(PlannedRun planned, Exit exit) {
    String child =
        "the child process for run "
            + planned.run()
            + " of "
            + planned.scenario().id()
            + " "
            + planned.form().name();
    if (!exit.machineFault().isEmpty()) {
      return child
          + " "
          + exit.machineFault()
          + ", which is no outcome of the form; the runs before it are kept: finish with --resume";
    }
    String words = exit.report().getOrDefault("detail", exit.lastWords());
    return child
        + " ended with exit code "
        + exit.code()
        + " before it had opened a backend"
        + (words.isEmpty() ? "" : " (" + words + ")")
        + "; is "
        + files.natives()
        + " still there? The runs before it are kept: finish with --resume";
  }

  /** Milliseconds to the microsecond: what is finer than that is no measurement. */
  private static double micros(double millis) {
    return Double.isNaN(millis) ? millis : Math.rint(millis * 1000) / 1000;
  }

  private static String schedule(Interleaving interleaving) {
    return interleaving.way() == Way.NATURAL ? "natural" : interleaving.schedule().strip();
  }

  /** The file for its timeline, or "-". A timeline of an earlier try would be another run's. */
  private String timeline(PlannedRun planned) {
    if (!settings.trace()) {
      return "-";
    }
    String scenario = planned.scenarioId();
    Path file = Traces.file(folder, scenario, planned.formName(), planned.way(), planned.run());
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw CampaignFolder.notWritable(folder, e);
    }
    return file.toAbsolutePath().toString();
  }

  private static List<String> arguments(
      CampaignSettings settings, PlannedRun planned, long seed, String timeline) {
    return List.of(
        planned.scenario().getClass().getName(),
        planned.form().name(),
        Long.toString(seed),
        settings.driver().isEmpty() ? "-" : settings.driver(),
        settings.profile().isEmpty() ? "-" : settings.profile(),
        settings.devices() == 0 ? "-" : Integer.toString(settings.devices()),
        planned.interleaving().label(),
        timeline);
  }

  private static Map<String, String> environment(Exit exit) {
    return Surroundings.of(ChildReport.under("environment.", exit.report()));
  }

  /** Repeats one run; on the provider that it ran on, whatever would be chosen tomorrow. */
  private String command(PlannedRun planned, long seed) {
    return chosen
        .single(planned.name(), planned.form().name(), planned.interleaving().label(), seed)
        .command();
  }
}
