package dev.hiplab.cli;

import dev.hiplab.Backend;
import dev.hiplab.MatmulSpeed;
import dev.hiplab.race.Campaign;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.ChildBenchmark;
import dev.hiplab.race.FormCost;
import dev.hiplab.report.FormCostTable;
import dev.hiplab.report.Tables;
import java.io.IOException;
import java.nio.file.Path;
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

/** Measurements of the lab itself. */
@Command(
    name = "bench",
    description = "Measures the lab itself.",
    mixinStandardHelpOptions = true,
    subcommands = {
      BenchCommand.ChildCommand.class,
      BenchCommand.MatmulCommand.class,
      BenchCommand.FormsCommand.class
    })
final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(hidden = true)
  private List<String> unknown = new ArrayList<>();

  @Override
  public Integer call() {
    String there = "; there are: " + String.join(", ", spec.subcommands().keySet());
    throw new ParameterException(
        spec.commandLine(),
        unknown.isEmpty()
            ? "bench needs the name of a measurement" + there
            : "bench has no measurement '" + unknown.get(0) + "'" + there);
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

  /** Why right alternatives were rejected. */
  @Command(
      name = "forms",
      description = "Enqueue time and throughput of the forms that are right, in turn.",
      mixinStandardHelpOptions = true)
  static final class FormsCommand implements Callable<Integer> {
    @Option(
        names = "--runs",
        paramLabel = "N",
        description = "processes of each form (default: ${DEFAULT-VALUE})")
    private int runs = 10;

    @Option(
        names = "--out",
        paramLabel = "FOLDER",
        description = "where to write the runs (default: a new folder in hiplab-runs)")
    private Path out;

    @Mixin private DeviceOptions device = new DeviceOptions();

    @Override
    public Integer call() {
      String[] names = FormCost.all().stream().map(Class::getName).toArray(String[]::new);
      try (Progress progress = new Progress(Terminal.showsProgress());
          Interrupt interrupt = Interrupt.guard()) {
        Campaign.Builder builder =
            Campaign.of(names)
                .runs(runs)
                .driver(device.driver)
                .profile(device.profile)
                .hostDevices(device.toOptions().hostDevices())
                .listener(progress);
        CampaignResult result = (out == null ? builder : builder.out(out)).run();
        progress.close();
        System.out.println(Tables.markdown(FormCostTable.of(result.records())));
        System.out.println("runs in " + result.folder());
        return result.forbidden().isEmpty() ? 0 : Main.FORBIDDEN;
      }
    }
  }

  /** What a large GEMM costs above the library that computes it. */
  @Command(
      name = "matmul",
      description = "Stream.matmul, f32 n x n x n, beside a direct cblas_sgemm, in turn.",
      mixinStandardHelpOptions = true)
  static final class MatmulCommand implements Callable<Integer> {
    @Option(
        names = "--n",
        paramLabel = "N",
        description = "rows and columns (default: ${DEFAULT-VALUE})")
    private int n = 2048;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        description = "timed calls of each kind (default: ${DEFAULT-VALUE})")
    private int rounds = 15;

    @Mixin private DeviceOptions device = new DeviceOptions();

    @Override
    public Integer call() {
      try (Backend backend = Backend.open(device.toOptions())) {
        System.out.println(Progress.firstLine(backend));
        System.out.println(MatmulSpeed.measure(backend.device(0), n, rounds));
      }
      return 0;
    }
  }
}
