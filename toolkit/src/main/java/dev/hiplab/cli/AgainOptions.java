package dev.hiplab.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A campaign that was made before, in place of scenarios. */
final class AgainOptions {
  /** What may be another machine's, or another's wish; the rest is what makes it the same. */
  private static final Set<String> WITH =
      Set.of(
          "--from",
          "--trust",
          "--out",
          "--resume",
          "--jobs",
          "--runs",
          "--driver",
          "--profile",
          "--devices",
          "--arm");

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description =
          "runs the campaigns of a bundle (report --bundle), or of a folder, again with their"
              + " settings; --jobs, --runs, --driver, --profile and --devices change one, and --arm"
              + " NAME:dir=FOLDER says where an arm's folder is here")
  Path from;

  @Option(
      names = "--trust",
      description =
          "with --from: lets it run the commands, and the scenarios that came as source, which are"
              + " code of whoever made the bundle")
  boolean trust;

  /** Refuses what would make another campaign of it. */
  void check(CommandSpec spec, List<String> scenarios) {
    if (!scenarios.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--from FILE brings its scenarios; leave out " + scenarios.get(0));
    }
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      String name = option.longestName();
      if (!WITH.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            name + " would make another campaign of what --from FILE has; leave it out");
      }
    }
  }
}
