package dev.hiplab.cli;

import dev.hiplab.race.ChildBenchmark;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measurements of the lab itself. */
@Command(
    name = "bench",
    description = "Measures the lab itself.",
    mixinStandardHelpOptions = true,
    subcommands = BenchCommand.ChildCommand.class)
final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "bench needs the name of a measurement; there is: child");
  }

  /** What a fresh process costs. */
  @Command(
      name = "child",
      description = "A child that runs one small GEMM against an empty JVM, spawn to exit.",
      mixinStandardHelpOptions = true)
  static final class ChildCommand implements Callable<Integer> {
    @Option(
        names = "--runs",
        paramLabel = "N",
        description = "processes of each kind (default: ${DEFAULT-VALUE})")
    private int runs = 20;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      if (runs < 1) {
        throw new ParameterException(spec.commandLine(), "--runs is " + runs + "; give 1 or more");
      }
      System.out.println(ChildBenchmark.run(runs));
      return 0;
    }
  }
}
