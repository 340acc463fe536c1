package dev.hiplab.cli;

import dev.hiplab.race.Commands;
import dev.hiplab.race.CommandsBuilder;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** A command of the caller's own, in place of scenarios. */
final class CommandOptions {
  @Option(
      names = "--command",
      paramLabel = "TEXT",
      description = "runs this instead of scenarios, as sh -c TEXT; see docs/commands.md")
  String text;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "name of the command in tables (default: its first words)")
  private String name;

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description =
          "a way to run the command, as forms are to a scenario:"
              + " NAME[:dir=FOLDER,env=VAR=VALUE,expect=pass|fail,command=TEXT];"
              + " more than one alternate (default: one, COMMAND, in this folder)")
  List<String> arms = new ArrayList<>();

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME=REGEX",
      description =
          "outcome of a run that prints a line which the pattern matches; the first counts")
  private List<String> outcomes = new ArrayList<>();

  @Option(
      names = "--counter",
      paramLabel = "NAME=REGEX",
      description =
          "the number in the pattern's one group as a counter: the last one, or with += their sum")
  private List<String> counters = new ArrayList<>();

  /** The option that only a command takes; empty when none was given. */
  String used() {
    if (name != null) {
      return "--name";
    }
    if (!arms.isEmpty()) {
      return "--arm";
    }
    return outcomes.isEmpty() ? (counters.isEmpty() ? "" : "--counter") : "--outcome";
  }

  CommandsBuilder builder() {
    CommandsBuilder builder = Commands.of(text);
    if (name != null) {
      builder.name(name);
    }
    arms.forEach(builder::arm);
    outcomes.forEach(builder::outcome);
    counters.forEach(builder::counter);
    return builder;
  }
}
