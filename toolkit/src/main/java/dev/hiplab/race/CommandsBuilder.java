package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A campaign of a command in the making; see {@link Commands}. Not thread-safe. */
public final class CommandsBuilder {
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

  CommandsBuilder(String text) {
    this.text = text;
  }

  static CommandsBuilder again(CommandSettings settings, Map<String, Path> folders) {
    CommandsBuilder builder = new CommandsBuilder(settings.text());
    builder.name = settings.name();
    for (Arm arm : settings.arms()) {
      builder.arms.add(folders.containsKey(arm.name()) ? arm.in(folders.get(arm.name())) : arm);
    }
    List<String> names = settings.arms().stream().map(Arm::name).toList();
    for (String name : folders.keySet()) {
      if (!names.contains(name)) {
        throw new HiplabException(
            "the campaign has no arm '" + name + "'; it has " + String.join(", ", names));
      }
    }
    builder.outcomes.addAll(settings.outcomes());
    builder.counters.addAll(settings.counters());
    return builder.runs(settings.runs()).seed(settings.seed()).deadline(settings.deadline());
  }

  /** Name in place of a scenario's id; the command's first words unless said. */
  public CommandsBuilder name(String value) {
    name = Objects.requireNonNull(value, "the name");
    return this;
  }

  /** Another arm; without any there is one, {@value Arm#DEFAULT}. */
  public CommandsBuilder arm(Arm arm) {
    arms.add(Objects.requireNonNull(arm, "an arm"));
    return this;
  }

  /**
   * Another arm, as on the command line: {@code fixed}, or {@code
   * reverted:dir=../old,env=MLX_NO_FIX=1,expect=fail,command=make check}.
   */
  public CommandsBuilder arm(String armText) {
    return arm(ArmText.read(armText));
  }

  /** Another arm, in a folder and with variables. */
  public CommandsBuilder arm(String armName, Path folder, Map<String, String> environment) {
    return arm(new Arm(armName, folder, environment, "", Expectation.NONE));
  }

  /** A pattern of an outcome, after those that were given before. */
  public CommandsBuilder outcome(Outcome outcome, String regex) {
    outcomes.add(new OutcomePattern(outcome, regex));
    return this;
  }

  /** The same as text: {@code WRONG_RESULT=assertion .* failed}. */
  public CommandsBuilder outcome(String patternText) {
    outcomes.add(OutcomePattern.of(patternText));
    return this;
  }

  /** A counter: {@code name=regex} keeps the last number, {@code name+=regex} their sum. */
  public CommandsBuilder counter(String patternText) {
    counters.add(CounterPattern.of(patternText));
    return this;
  }

  /** Runs of each arm; 10 unless said. */
  public CommandsBuilder runs(int count) {
    runs = count;
    return this;
  }

  /** HIPLAB_SEED of run 0; run n has seed + n. */
  public CommandsBuilder seed(long value) {
    seed = value;
    return this;
  }

  /** Commands at the same time, 1 unless said: two would share the GPU. */
  public CommandsBuilder jobs(int count) {
    jobs = count;
    return this;
  }

  /** Time that a run may take before it counts as a hang. */
  public CommandsBuilder deadline(Duration limit) {
    deadline = Objects.requireNonNull(limit, "the deadline");
    return this;
  }

  /** Folder to write; a new one under {@code hiplab-runs} unless said. */
  public CommandsBuilder out(Path folder) {
    if (folder.toString().isBlank()) {
      throw new HiplabException("the folder to write (out) has an empty name; name a folder");
    }
    out = folder;
    return this;
  }

  /** Finish the campaign that is in the folder, if it has the same settings. */
  public CommandsBuilder resume(boolean value) {
    resume = value;
    return this;
  }

  /** Told of the progress. */
  public CommandsBuilder listener(CampaignListener value) {
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
    Path folder = out == null ? Path.of("hiplab-runs", CampaignFolder.newId()) : out;
    return new Commands(settings, folder, resume, jobs, listener);
  }

  /** Builds it and runs it. */
  public CampaignResult run() {
    return build().run();
  }
}
