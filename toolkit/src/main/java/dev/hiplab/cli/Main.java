package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.report.TerminalText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
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
      BenchCommand.class,
      TuneCommand.class,
      SurveyCommand.class,
      KernelCommand.class,
      DoctorCommand.class
    })
public final class Main implements Runnable {
  /** Something happened that the source says cannot. */
  static final int FORBIDDEN = 1;

  /** The command could not be done as it was given, or what it said could not be written. */
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
    int code;
    try {
      code = commandLine().execute(args);
    } catch (Throwable e) {
      // picocli hands its handler Exceptions only; an Error must not end with 1 either.
      Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
      code = failed(cause);
    }
    return told(code);
  }

  /** A PrintStream keeps to itself that nothing can be written, such as on a full disk. */
  private static int told(int code) {
    if (!System.out.checkError() || readerLeft()) {
      return code;
    }
    System.err.println(
        "hiplab: standard output could not be written, so that some of it is lost: give it a file"
            + " on a disk with room");
    return code == 0 ? USAGE : code;
  }

  /** A reader at the other end, such as head, that has seen enough: no error. */
  private static boolean readerLeft() {
    try {
      String out = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return out.startsWith("pipe:") || out.startsWith("socket:");
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::usageError)
        .setExecutionExceptionHandler((e, line, result) -> failed(e));
  }

  private static int usageError(ParameterException e, String[] args) {
    System.err.println("hiplab: " + TerminalText.of(e.getMessage()));
    CommandLine line = e.getCommandLine();
    System.err.println("hiplab: " + line.getCommandSpec().qualifiedName() + " --help tells more");
    return USAGE;
  }

  static int failed(Throwable e) {
    System.err.println("hiplab: " + TerminalText.of(sentence(e)));
    return USAGE;
  }

  private static String sentence(Throwable e) {
    String message = e.getMessage();
    if (e instanceof OutOfMemoryError) {
      return "not enough memory: " + message + "; give Java more with -Xmx, or ask for less";
    }
    boolean says = message != null && !message.isBlank();
    if (says && e instanceof HiplabException) {
      return message;
    }
    if (e instanceof UncheckedIOException unchecked) {
      // Its own sentence, unless it only repeats its cause.
      boolean repeats = !says || message.equals(String.valueOf(unchecked.getCause()));
      return repeats ? sentence(unchecked.getCause()) : message;
    }
    if (says && e instanceof NoSuchFileException) {
      return "there is no file " + message;
    }
    if (says && e instanceof AccessDeniedException) {
      return "no permission for " + message;
    }
    if (says && e instanceof FileAlreadyExistsException) {
      return message + " is a file; name a folder";
    }
    return says && e instanceof IOException ? message : e.toString();
  }
}
