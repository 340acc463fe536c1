package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Any command in many fresh processes, arm against arm: what {@link Campaign} is to a scenario.
 *
 * <pre>{@code
 * CampaignResult result =
 *     Commands.of("cargo test --features rocm --test rocm_hipblaslt_concurrency")
 *         .arm("fixed:expect=pass")
 *         .arm("reverted", Path.of("../mlxcel-old"), Map.of("MLX_NO_FIX", "1"))
 *         .outcome(Outcome.WRONG_RESULT, "assertion .* failed")
 *         .counter("failed+=(\\d+) failed")
 *         .runs(20)
 *         .run();
 * }</pre>
 *
 * <p>The arms alternate; every run is on the disk before its job starts another, and what it
 * printed is in the campaign's folder {@code output}. An interrupt ends the command with all that
 * it started, keeps what is done and leaves the thread's interrupt flag set. Immutable; can be run
 * from any thread, one at a time for each folder. See {@code docs/commands.md}.
 */
public final class Commands {
  private final CommandSettings settings;
  private final Path out;
  private final boolean resume;
  private final int jobs;
  private final CampaignListener listener;

  private Commands(Builder builder, CommandSettings settings) {
    this.settings = settings;
    this.out = builder.out == null ? Path.of("hiplab-runs", CampaignFolder.newId()) : builder.out;
    this.resume = builder.resume;
    this.jobs = builder.jobs;
    this.listener = builder.listener;
  }

  /**
   * A command.
   *
   * @param text for {@code sh -c}, in the shell's own quoting
   */
  public static Builder of(String text) {
    return new Builder(Objects.requireNonNull(text, "the command"));
  }

  /** A campaign in the making. Not thread-safe. */
  public static final class Builder {
    private final String text;
    private final List<Arm> arms = new ArrayList<>();
    private final List<OutcomePattern> outcomes = new ArrayList<>();
    private final List<CounterPattern> counters = new ArrayList<>();
    private String name = "";
    private int jobs = 1;
    private int runs = 10;
    private long seed = 1;
    private Duration deadline = Campaign.DEADLINE;
    private Path out;
    private boolean resume;
    private CampaignListener listener = CampaignListener.SILENT;

    private Builder(String text) {
      this.text = text;
    }

    /** Name in place of a scenario's id; the command's first words unless said. */
    public Builder name(String value) {
      name = Objects.requireNonNull(value, "the name");
      return this;
    }

    /** Another arm; without any there is one, {@value Arm#DEFAULT}. */
    public Builder arm(Arm arm) {
      arms.add(Objects.requireNonNull(arm, "an arm"));
      return this;
    }

    /**
     * Another arm, as on the command line: {@code fixed}, or {@code
     * reverted:dir=../old,env=MLX_NO_FIX=1,expect=fail,command=make check}.
     */
    public Builder arm(String armText) {
      return arm(ArmText.read(armText));
    }

    /** Another arm, in a folder and with variables. */
    public Builder arm(String armName, Path folder, Map<String, String> environment) {
      return arm(new Arm(armName, folder, environment, "", Expectation.NONE));
    }

    /** A pattern of an outcome, after those that were given before. */
    public Builder outcome(Outcome outcome, String regex) {
      outcomes.add(new OutcomePattern(outcome, regex));
      return this;
    }

    /** The same as text: {@code WRONG_RESULT=assertion .* failed}. */
    public Builder outcome(String patternText) {
      outcomes.add(OutcomePattern.of(patternText));
      return this;
    }

    /** A counter: {@code name=regex} keeps the last number, {@code name+=regex} their sum. */
    public Builder counter(String patternText) {
      counters.add(CounterPattern.of(patternText));
      return this;
    }

    /** Runs of each arm; 10 unless said. */
    public Builder runs(int count) {
      runs = count;
      return this;
    }

    /** HIPLAB_SEED of run 0; run n has seed + n. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Commands at the same time, 1 unless said: two would share the GPU. */
    public Builder jobs(int count) {
      jobs = count;
      return this;
    }

    /** Time that a run may take before it counts as a hang. */
    public Builder deadline(Duration limit) {
      deadline = Objects.requireNonNull(limit, "the deadline");
      return this;
    }

    /** Folder to write; a new one under {@code hiplab-runs} unless said. */
    public Builder out(Path folder) {
      if (folder.toString().isBlank()) {
        throw new HiplabException("the folder to write (out) has an empty name; name a folder");
      }
      out = folder;
      return this;
    }

    /** Finish the campaign that is in the folder, if it has the same settings. */
    public Builder resume(boolean value) {
      resume = value;
      return this;
    }

    /** Told of the progress. */
    public Builder listener(CampaignListener value) {
      listener = Objects.requireNonNull(value, "the listener");
      return this;
    }

    /**
     * Checks names, numbers and folders.
     *
     * @throws HiplabException naming the one that is wrong and what is allowed
     */
    public Commands build() {
      CommandSettings settings =
          new CommandSettings(
              name.isEmpty() ? CommandName.of(text) : name,
              text,
              arms.isEmpty() ? List.of(Arm.named(Arm.DEFAULT)) : arms,
              outcomes,
              counters,
              runs,
              seed,
              deadline);
      for (Arm arm : settings.arms()) {
        if (!Files.isDirectory(arm.folder())) {
          throw new HiplabException(
              "the folder of arm '"
                  + arm.name()
                  + "', "
                  + arm.folder()
                  + ", is not there; name one with dir=FOLDER");
        }
      }
      Jobs.check(jobs);
      return new Commands(this, settings);
    }

    /** Builds it and runs it. */
    public CampaignResult run() {
      return build().run();
    }
  }

  /** Where it writes. */
  public Path folder() {
    return out;
  }

  /** What it was asked to do. */
  public CommandSettings settings() {
    return settings;
  }

  /**
   * Runs what is not done yet.
   *
   * @return everything that is in the folder then; not complete when the thread was interrupted
   * @throws HiplabException when a command cannot be run, or the folder cannot be written
   */
  public CampaignResult run() {
    Supervisor.check();
    Plan<CommandRun> plan =
        new Plan<>(plan(), new CommandRunner(settings, out), CommandRunner.environment(settings));
    try (CampaignFolder folder = CampaignFolder.open(out, settings, resume)) {
      return plan.carryOut(folder, jobs, listener);
    } catch (IOException e) {
      throw CampaignFolder.notWritable(out, e);
    }
  }

  private List<CommandRun> plan() {
    List<CommandRun> plan = new ArrayList<>();
    for (int run = 0; run < settings.runs(); run++) {
      for (Arm arm : settings.arms()) {
        plan.add(new CommandRun(settings.name(), arm, run));
      }
    }
    return plan;
  }
}
