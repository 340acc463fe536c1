package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: {@code java -jar toolkit.jar VERB ...}. */
@Command(
    name = "hiplab",
    description = "Reproduces concurrency findings of GPU GEMM backends in fresh processes.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    subcommands = {
      DevicesCommand.class,
      ListCommand.class,
      ReproduceCommand.class,
      ReportCommand.class,
      BenchCommand.class
    })
public final class Main implements Runnable {
  /** Something happened that the source says cannot. */
  static final int FORBIDDEN = 1;

  /** The command could not be done as it was given. */
  static final int USAGE = 2;

  @Spec private CommandSpec spec;

  /** Without a verb: the help. */
  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  /** Ends the process with 0, 1 (a forbidden outcome) or 2 (the command cannot be done). */
  public static void main(String[] args) {
    System.exit(execute(args));
  }

  static int execute(String... args) {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::usageError)
        .setExecutionExceptionHandler((e, line, result) -> failed(e))
        .execute(args);
  }

  private static int usageError(ParameterException e, String[] args) {
    System.err.println("hiplab: " + e.getMessage());
    CommandLine line = e.getCommandLine();
    System.err.println("hiplab: " + line.getCommandSpec().qualifiedName() + " --help tells more");
    return USAGE;
  }

  private static int failed(Exception e) {
    String message = e.getMessage();
    boolean ours = e instanceof HiplabException && message != null;
    System.err.println("hiplab: " + (ours ? message : e.toString()));
    return USAGE;
  }
}
