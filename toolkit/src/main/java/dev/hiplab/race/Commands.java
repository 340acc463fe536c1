package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.file.Path;
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

  Commands(
      CommandSettings settings, Path out, boolean resume, int jobs, CampaignListener listener) {
    this.settings = settings;
    this.out = out;
    this.resume = resume;
    this.jobs = jobs;
    this.listener = listener;
  }

  /**
   * A command.
   *
   * @param text for {@code sh -c}, in the shell's own quoting
   */
  public static CommandsBuilder of(String text) {
    return new CommandsBuilder(Objects.requireNonNull(text, "the command"));
  }

  /**
   * A command's campaign that was made before, perhaps elsewhere: with its arms, patterns, runs,
   * seed and deadline unless others are given.
   *
   * @param settings see {@link Settings#in}
   * @param folders name of an arm to its folder here; where the campaign had it unless said
   * @throws HiplabException when there is no arm of such a name
   */
  public static CommandsBuilder again(CommandSettings settings, Map<String, Path> folders) {
    return CommandsBuilder.again(settings, folders);
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
