package dev.hiplab.race;

import dev.hiplab.Backend;
import dev.hiplab.HiplabException;
import dev.hiplab.NativeLibrary;
import dev.hiplab.Options;
import dev.hiplab.OutOfDeviceMemoryException;
import dev.hiplab.Schedule;
import dev.hiplab.Trace;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.ForcedOrders;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import dev.hiplab.scenario.Sentences;
import dev.hiplab.scenario.Trial;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Main of the fresh process that one run is: opens a backend in the form under test, runs the
 * workload and reports on standard output.
 *
 * <p>Kept light: a campaign pays for every class that is loaded here, twenty times and more.
 * Arguments: scenario class, form, seed, driver, profile, devices, interleaving, the file for the
 * timeline, the token of the report; {@code -} leaves driver, profile or devices to its default and
 * writes no timeline.
 */
public final class ChildMain {
  private static final int TRACE = 7;
  private static final int TOKEN = 8;

  private ChildMain() {}

  /** Runs one workload. A failure is reported as {@link Outcome#ERROR}, not as an exit code. */
  public static void main(String[] args) {
    ParentWatch watch = new ParentWatch();
    watch.start();

    ChildReport report = new ChildReport(System.out, args.length > TOKEN ? args[TOKEN] : "");
    try {
      run(args, report);
    } catch (Refused refused) {
      report.refused(refused.getMessage());
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
    Form form = scenario.form(args[1]);
    Interleaving interleaving = scenario.interleaving(args[6]);
    Options options = scenario.options(Options.defaults(), interleaving).withForms(form.parts());
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
    try (Backend backend = opened(options)) {
      Map<String, String> info = backend.info();
      // Told before the workload, so that a crash is still known to be this device's.
      report.environment(info);
      long begin = System.nanoTime();
      Trial trial = new Trial(backend, Long.parseLong(args[2]), form, interleaving);
      Finding finding = run(scenario, trial, report, args[TRACE]);
      double millis = (System.nanoTime() - begin) / 1e6 - trial.sums().millis();
      report.finding(Double.isNaN(finding.workMillis()) ? finding.withWork(millis) : finding);
    }
  }

  private static Backend opened(Options options) {
    try {
      return Backend.open(options);
    } catch (OutOfDeviceMemoryException e) {
      throw e;
    } catch (HiplabException e) {
      throw new Refused(e);
    }
  }

  private static Schedule started(String text) {
    try {
      return Schedule.start(text);
    } catch (HiplabException e) {
      throw new Refused(e);
    }
  }

  /** What the scenario asks for is not to be had: its mistake, and no outcome of a form. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(HiplabException why) {
      super(why.getMessage(), why);
    }
  }

  /** The trace begins with the work and ends after it, whatever became of it. */
  private static Finding run(Scenario scenario, Trial trial, ChildReport report, String file)
      throws Exception {
    if (file.equals("-")) {
      return run(scenario, trial, report);
    }
    Trace trace = Trace.start();
    try {
      return run(scenario, trial, report);
    } finally {
      Traces.end(trace, Path.of(file));
    }
  }

  private static Finding run(Scenario scenario, Trial trial, ChildReport report) throws Exception {
    String text = trial.interleaving().schedule();
    if (text.isEmpty()) {
      return Finding.of(scenario.run(trial));
    }
    try (Schedule schedule = started(text)) {
      Finding finding = Finding.of(scenario.run(trial));
      List<Schedule.Order> orders = schedule.end();
      report.orders(orders);
      return ForcedOrders.read(finding, orders);
    }
  }
}
