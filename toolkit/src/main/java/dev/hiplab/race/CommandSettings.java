package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a campaign of a command was asked to do.
 *
 * @param name takes the place of a scenario's id
 * @param text for the shell
 * @param arms at least one; they alternate
 * @param outcomes patterns, the first of them that a line matches counts
 * @param counters patterns of numbers
 * @param runs of each arm
 * @param seed of run 0, which the command finds in HIPLAB_SEED; run n has seed + n
 * @param deadline of one run
 */
public record CommandSettings(
    String name,
    String text,
    List<Arm> arms,
    List<OutcomePattern> outcomes,
    List<CounterPattern> counters,
    int runs,
    long seed,
    Duration deadline)
    implements Settings {
  public CommandSettings {
    arms = List.copyOf(arms);
    outcomes = List.copyOf(outcomes);
    counters = List.copyOf(counters);
    if (text.isBlank()) {
      throw new HiplabException("the command is empty; give one, such as 'cargo test'");
    }
    if (!name.matches(Arm.NAME)) {
      throw new HiplabException(
          "'"
              + name
              + "' cannot name a campaign: use up to 80 letters, digits, '.', '_' and '-', a letter"
              + " or digit first");
    }
    if (arms.isEmpty()) {
      throw new HiplabException("a command needs at least one arm");
    }
    Set<String> names = new HashSet<>();
    for (Arm arm : arms) {
      if (!names.add(arm.name())) {
        throw new HiplabException(
            "there are two arms of the name '" + arm.name() + "'; give each a name of its own");
      }
    }
    for (CounterPattern counter : counters) {
      if (counters.stream().filter(other -> other.name().equals(counter.name())).count() > 1) {
        throw new HiplabException(
            "there are two counters of the name '"
                + counter.name()
                + "'; give each a name of its own, or write one pattern with |");
      }
    }
    Settings.check(runs, deadline);
  }

  /** The text that an arm runs. */
  public String text(Arm arm) {
    return arm.command().isEmpty() ? text : arm.command();
  }

  /** One run of one arm. */
  CommandSettings single(Arm arm, long itsSeed) {
    return new CommandSettings(name, text, List.of(arm), outcomes, counters, 1, itsSeed, deadline);
  }

  @Override
  public String command() {
    StringBuilder line = new StringBuilder(Campaign.COMMAND);
    line.append("--command ").append(ShellWord.of(text)).append(" --name ").append(name);
    arms.forEach(arm -> line.append(" --arm ").append(ShellWord.of(ArmText.write(arm))));
    outcomes.forEach(one -> line.append(" --outcome ").append(ShellWord.of(one.toString())));
    counters.forEach(one -> line.append(" --counter ").append(ShellWord.of(one.toString())));
    line.append(" --runs ").append(runs).append(" --seed ").append(seed);
    String limit = " --deadline " + deadline.toSeconds();
    return line.append(deadline.equals(Campaign.DEADLINE) ? "" : limit).toString();
  }

  @Override
  public String toJson(String id, String startedAt) {
    return CommandJson.write(this, id, startedAt);
  }

  /** What is run, and in which folders. */
  String inWords() {
    if (arms.stream().allMatch(arm -> text(arm).equals(text))) {
      return text + " in " + arms.stream().map(this::place).collect(Collectors.joining(", "));
    }
    return arms.stream()
        .map(arm -> text(arm) + " in " + place(arm))
        .collect(Collectors.joining("; "));
  }

  private String place(Arm arm) {
    return arm.folder() + " (" + arm.name() + ")";
  }
}
