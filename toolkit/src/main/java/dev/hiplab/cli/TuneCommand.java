package dev.hiplab.cli;

import dev.hiplab.Backend;
import dev.hiplab.HiplabException;
import dev.hiplab.TuneOptions;
import dev.hiplab.TuneResult;
import dev.hiplab.Tunings;
import dev.hiplab.measure.Problem;
import dev.hiplab.report.TerminalText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Finds the fastest algorithm of GEMMs and keeps it in a file, or checks such a file. */
@Command(
    name = "tune",
    description = {
      "Measures hipBLASLt's candidates of GEMMs in bounded time and keeps the fastest in a file.",
      "Exit code: 0, with --check when the file has winners of this device, profile and versions"
          + " and all of these count; 1 when --check found one of them that does not count, or"
          + " none of them, whatever it has of others; 2 when the command could not be done as it"
          + " was given, or no candidate ended in time."
    },
    mixinStandardHelpOptions = true)
final class TuneCommand implements Callable<Integer> {
  private static final int NOT_USABLE = 1;

  @Parameters(
      paramLabel = "SHAPE",
      arity = "0..*",
      description = "row-major, such as \"bf16 64x64x2048 NT\", a batch before m")
  private List<String> shapes = new ArrayList<>();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "keeps the winners here, beside those that it has")
  private Path file;

  @Option(
      names = "--check",
      paramLabel = "FILE",
      description =
          "tells which winners of a file count on this device, which are of another device,"
              + " profile or version, and why others do not count; measures nothing")
  private Path check;

  @Option(
      names = "--candidates",
      paramLabel = "N",
      description = "asked for, 1 to 1024 (default: ${DEFAULT-VALUE})")
  private int candidates = TuneOptions.DEFAULTS.candidates();

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "timed GEMMs of each candidate, 1 to 10000 (default: ${DEFAULT-VALUE})")
  private int repetitions = TuneOptions.DEFAULTS.repetitions();

  @Option(
      names = "--bound-ms",
      paramLabel = "MS",
      description = "for each candidate; what overruns is abandoned (default: ${DEFAULT-VALUE})")
  private double boundMillis = TuneOptions.DEFAULTS.bound().toMillis();

  @Option(
      names = "--cap-mib",
      paramLabel = "N",
      description = "most workspace of a candidate, MiB, 0 to 32 (default: ${DEFAULT-VALUE})")
  private long capMib = TuneOptions.DEFAULTS.capBytes() >> 20;

  @Mixin private DeviceOptions device = new DeviceOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (check != null ? !shapes.isEmpty() || file != null : shapes.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          check != null
              ? "--check FILE goes without shapes and --file: it changes nothing"
              : "tune needs shapes such as \"bf16 64x64x2048 NT\", or --check FILE");
    }
    List<Problem> all = shapes.stream().map(Problem::of).toList();
    TuneOptions options = new TuneOptions(candidates, repetitions, bound(), capBytes(), 1);
    // Read before anything is measured: a file that is wrong would lose it.
    Tunings kept = check != null ? Tunings.read(check) : kept();
    try (Backend backend = Backend.open(device.toOptions());
        Interrupt interrupt = Interrupt.guard()) {
      System.out.println(Progress.firstLine(backend));
      return check != null ? check(kept, backend) : tune(all, options, kept, backend);
    }
  }

  private long capBytes() {
    long most = TuneOptions.MOST_CAP >> 20;
    if (capMib < 0 || capMib > most) {
      throw new HiplabException("--cap-mib is " + capMib + ", allowed are 0 to " + most);
    }
    return capMib << 20;
  }

  private Duration bound() {
    double nanos = boundMillis * 1e6;
    if (!(nanos >= 0 && nanos <= Long.MAX_VALUE)) {
      throw new HiplabException("--bound-ms is " + boundMillis + ", allowed are 0.001 to 3600000");
    }
    return Duration.ofNanos(Math.round(nanos));
  }

  private Tunings kept() {
    if (file != null) {
      Tunings.requireWritable(file);
    }
    return file != null && Files.exists(file) ? Tunings.read(file) : Tunings.empty();
  }

  private Integer tune(List<Problem> all, TuneOptions options, Tunings before, Backend backend) {
    Tunings kept = before;
    for (Problem one : all) {
      TuneResult result =
          one.spec()
              .tune(
                  backend.device(0),
                  one.dtype(),
                  one.m(),
                  one.n(),
                  one.k(),
                  options.withBatch(one.batch()));
      System.out.print(TerminalText.of(result.toString()));
      if (file != null) {
        kept = kept.with(result);
        kept.write(file); // after each: what comes next may be interrupted
      }
    }
    if (file != null) {
      System.out.println(counted(kept.winners().size()) + " in " + file);
    }
    return 0;
  }

  /** A file may be shared: what it has of other devices says nothing against it here. */
  private Integer check(Tunings kept, Backend backend) {
    List<Tunings.Checked> all = kept.check(backend.device(0));
    if (all.isEmpty()) {
      System.out.println("no winners in " + check + ": tune with --file to keep one");
      return NOT_USABLE;
    }
    all.forEach(one -> System.out.println(TerminalText.line(one.toString())));
    int own = (int) all.stream().filter(Tunings.Checked::here).count();
    int usable = (int) all.stream().filter(Tunings.Checked::fits).count();
    int others = all.size() - own;
    System.out.println(
        own == 0
            ? "no winner of this device, profile and versions; "
                + counted(others)
                + " of another: tune on this device"
            : usable
                + " of "
                + counted(own)
                + " of this device can be used"
                + (others == 0
                    ? ""
                    : "; " + counted(others) + " of another device, profile or version"));
    return own > 0 && usable == own ? 0 : NOT_USABLE;
  }

  private static String counted(int winners) {
    return winners + (winners == 1 ? " winner" : " winners");
  }
}
