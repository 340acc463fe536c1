package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.findings.RocblasFirstGemm;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a fresh process costs: an empty JVM with its default flags, a child that runs one small
 * GEMM, and a run of rocblas.first-gemm (FIXED, natural), in turn, from spawn to exit. So the share
 * of a run that is the start of its JVM can be told.
 *
 * @param empty milliseconds of each empty JVM
 * @param child milliseconds of each child
 * @param scenario milliseconds of each run of the scenario
 */
public record ChildBenchmark(double[] empty, double[] child, double[] scenario) {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /**
   * Measures.
   *
   * @param runs of each, after one unmeasured pair that warms the file cache
   * @throws HiplabException when a child did not end well
   */
  public static ChildBenchmark run(int runs) throws IOException, InterruptedException {
    double[] empty = new double[runs];
    double[] child = new double[runs];
    double[] scenario = new double[runs];
    ChildFiles files = ChildFiles.prepare(Set.of());
    Path folder = Files.createTempDirectory("hiplab-bench-");
    try {
      List<String> command = emptyCommand(files.java(), folder);
      for (int run = -1; run < runs; run++) {
        double emptyMillis = emptyJvm(command);
        double childMillis = child(files, new OneGemm());
        double scenarioMillis = child(files, new RocblasFirstGemm());
        if (run >= 0) {
          empty[run] = emptyMillis;
          child[run] = childMillis;
          scenario[run] = scenarioMillis;
        }
      }
    } finally {
      Child.delete(folder);
    }
    return new ChildBenchmark(empty, child, scenario);
  }

  /** Median of the empty JVM, milliseconds. */
  public double emptyMedian() {
    return median(empty);
  }

  /** Median of the child, milliseconds. */
  public double childMedian() {
    return median(child);
  }

  /** Median of the scenario's run, milliseconds. */
  public double scenarioMedian() {
    return median(scenario);
  }

  /** Of a run of the scenario: what an empty JVM costs. */
  public double share() {
    return emptyMedian() / scenarioMedian();
  }

  /** How many times an empty JVM a child takes. */
  public double ratio() {
    return childMedian() / emptyMedian();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "empty JVM %.1f ms, child with one small GEMM %.1f ms: %.2f times; a run of"
            + " rocblas.first-gemm %.1f ms, %.0f%% of it an empty JVM's (medians of %d, in turn)",
        emptyMedian(),
        childMedian(),
        ratio(),
        scenarioMedian(),
        100 * share(),
        empty.length);
  }

  private static List<String> emptyCommand(Path java, Path folder) throws IOException {
    String file = EmptyMain.class.getName().replace('.', '/') + ".class";
    Path target = folder.resolve(file);
    Files.createDirectories(target.getParent());
    try (InputStream in = ChildBenchmark.class.getResourceAsStream("/" + file)) {
      Files.copy(in, target);
    }
    return List.of(java.toString(), "-cp", folder.toString(), EmptyMain.class.getName());
  }

  private static double emptyJvm(List<String> command) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Child.finish(command, DEADLINE);
    return (System.nanoTime() - begin) / 1e6;
  }

  private static double child(ChildFiles files, Scenario scenario) throws InterruptedException {
    List<String> arguments =
        List.of(scenario.getClass().getName(), Form.FIXED, "1", "host", "-", "-", "natural", "-");
    Exit exit = new Child(files, DEADLINE).run(arguments, Set.of());
    Verdict verdict = Verdict.of(scenario, exit, DEADLINE.toSeconds());
    if (verdict.outcome() != Outcome.EXACT) {
      throw new HiplabException(
          "a child with "
              + scenario.id()
              + " ended "
              + verdict.outcome()
              + ": "
              + verdict.detail());
    }
    return exit.wallMillis();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }
}
