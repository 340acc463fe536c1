package dev.hiplab.race;

import dev.hiplab.Backend;
import dev.hiplab.NativeLibrary;
import dev.hiplab.Options;
import dev.hiplab.OutOfDeviceMemoryException;
import java.util.Map;

/**
 * Main of the fresh process that one run is: opens a backend in the form under test, runs the
 * workload and reports on standard output.
 *
 * <p>Kept light: a campaign pays for every class that is loaded here, twenty times and more.
 * Arguments: scenario class, form, seed, driver, profile, devices; {@code -} leaves one to its
 * default.
 */
public final class ChildMain {
  private ChildMain() {}

  /** Runs one workload. A failure is reported as {@link Outcome#ERROR}, not as an exit code. */
  public static void main(String[] args) {
    ParentWatch watch = new ParentWatch();
    watch.start();

    ChildReport report = new ChildReport(System.out);
    try {
      run(args, report);
    } catch (Throwable failure) {
      report.finding(new Finding(Outcome.ERROR, Sentences.of(failure), Map.of(), Double.NaN));
      // An OutOfMemoryError also when no thread can be started.
      if (failure instanceof OutOfMemoryError || failure instanceof OutOfDeviceMemoryException) {
        report.machine(Sentences.of(failure));
      }
    }
    watch.expectEnd();
    report.end();
    watch.awaitEnd();
  }

  private static void run(String[] args, ChildReport report) throws Exception {
    NativeLibrary.prepareChild();
    Scenario scenario = (Scenario) Class.forName(args[0]).getDeclaredConstructor().newInstance();
    Options options = Options.defaults().withForms(scenario.form(args[1]).parts());
    options = options.withCountCalls(true);
    if (!args[3].equals("-")) {
      options = options.withDriver(args[3]);
    }
    if (!args[4].equals("-")) {
      options = options.withProfile(args[4]);
    }
    if (!args[5].equals("-")) {
      options = options.withHostDevices(Integer.parseInt(args[5]));
    }
    try (Backend backend = Backend.open(options)) {
      Map<String, String> info = backend.info();
      // Told before the workload, so that a crash is still known to be this device's.
      report.environment(info);
      long begin = System.nanoTime();
      Finding finding = scenario.run(new Trial(backend, Long.parseLong(args[2]), info));
      double millis = (System.nanoTime() - begin) / 1e6;
      report.finding(Double.isNaN(finding.workMillis()) ? finding.withWork(millis) : finding);
    }
  }
}
