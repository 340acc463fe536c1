package dev.hiplab.cli;

import dev.hiplab.Backend;
import dev.hiplab.race.CampaignListener;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.TerminalText;
import dev.hiplab.scenario.Interleaving;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Shows a campaign's progress: a bar on a terminal, else a plain line now and then. */
final class Progress implements CampaignListener, AutoCloseable {
  /** A campaign of up to this many runs gets a line for each, a longer one a line a tenth. */
  private static final int LINES = 60;

  private final boolean terminal;
  private TerminalBar bar; // null before the start, and where there is no terminal

  Progress(boolean terminal) {
    this.terminal = terminal;
  }

  @Override
  public void started(Path folder, Map<String, String> environment, int total, int done) {
    System.out.println(firstLine(environment));
    if (done > 0) {
      System.out.println("resuming " + folder + ": " + done + " of " + total + " runs are done");
    }
    if (terminal) {
      bar = new TerminalBar("runs", total, done);
    }
  }

  /** The first line of a command on this backend: the forms too, unless all parts are FIXED. */
  static String firstLine(Backend backend) {
    return firstLine(backend.info()) + (backend.allFixed() ? "" : ", " + backend.forms());
  }

  /** Provider, device, and why; of a run's environment or of {@link Backend#info}. */
  static String firstLine(Map<String, String> environment) {
    String provider = environment.getOrDefault("provider", "unknown driver");
    String driver = environment.getOrDefault("driver", provider);
    String device = environment.getOrDefault("device", ran(environment));
    String detail = environment.getOrDefault("detail", device);
    String reason = environment.getOrDefault("reason", "");
    return TerminalText.line(
        driver + ": " + detail + (reason.isEmpty() ? "" : " (" + reason + ")"));
  }

  /** A run of a command knows no device, but what it ran and where. */
  private static String ran(Map<String, String> environment) {
    String command = environment.getOrDefault("command", "");
    return command.isEmpty() ? "" : command + " in " + environment.getOrDefault("folder", "");
  }

  @Override
  public void running(String scenario, String form, String way, int run) {
    if (bar != null) {
      bar.running(scenario + " " + form + Interleaving.suffix(way));
    }
  }

  @Override
  public void ended(RunRecord run, int done, int total) {
    if (bar != null) {
      bar.stepTo(done);
      return;
    }
    int tenth = Math.max(1, total / 10);
    if (total <= LINES || done % tenth == 0 || done == total) {
      System.out.println(TerminalText.line(line(run, done, total)));
    }
  }

  private static String line(RunRecord run, int done, int total) {
    String detail = run.detail().isEmpty() ? "" : ": " + run.detail();
    return String.format(
        Locale.ROOT,
        "%d/%d %s %s%s %s, %s, %.0f ms%s",
        done,
        total,
        run.scenario(),
        run.form(),
        Interleaving.suffix(run.way()),
        run.outcome(),
        run.grade().name().toLowerCase(Locale.ROOT),
        run.wallMillis(),
        detail);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
