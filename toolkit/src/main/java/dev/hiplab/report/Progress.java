package dev.hiplab.report;

import dev.hiplab.race.CampaignListener;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Shows a campaign's progress: in a notebook one output that is replaced, elsewhere a line now and
 * then. For one campaign; used by the thread that runs it.
 */
public final class Progress implements CampaignListener {
  private final LiveLine shown;
  private final Map<String, Map<Outcome, Integer>> outcomes = new LinkedHashMap<>();
  private int done;
  private int total;
  private long startedNanos;

  private Progress(Optional<Kernel> kernel) {
    shown = new LiveLine(kernel);
  }

  /** For {@code Campaign.of(...).listener(Progress.live())}. */
  public static Progress live() {
    return new Progress(Kernel.current());
  }

  static Progress on(Optional<Kernel> kernel) {
    return new Progress(kernel);
  }

  @Override
  public void started(Path folder, Map<String, String> environment, int runs, int already) {
    total = runs;
    done = already;
    startedNanos = System.nanoTime();
    shown.begin(line(), done, total);
  }

  @Override
  public void ended(RunRecord run, int runsDone, int runs) {
    done = runsDone;
    total = runs;
    outcomes
        .computeIfAbsent(run.form(), form -> new EnumMap<>(Outcome.class))
        .merge(run.outcome(), 1, Integer::sum);
    if (done == total || shown.due()) {
      shown.show(line(), done, total);
    }
  }

  /** {@code 12 of 40 runs, 6 s; FILED: 6 WRONG_RESULT; FIXED: 6 EXACT}. */
  String line() {
    StringBuilder line = new StringBuilder();
    line.append(done).append(" of ").append(Labels.runs(total));
    line.append(", ").append((System.nanoTime() - startedNanos) / 1_000_000_000L).append(" s");
    outcomes.forEach(
        (form, counts) -> {
          line.append("; ").append(form).append(':');
          counts.forEach(
              (outcome, count) -> line.append(' ').append(count).append(' ').append(outcome));
        });
    return line.toString();
  }
}
