package dev.hiplab.report;

import dev.hiplab.race.CampaignListener;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Shows a campaign's progress: in a notebook one output that is replaced, elsewhere a line now and
 * then. For one campaign; used by the thread that runs it.
 */
public final class Progress implements CampaignListener {
  /** Front ends fall behind, and kernels queue, beyond about five updates a second. */
  private static final long NOTEBOOK_PAUSE_NANOS = 200_000_000L;

  private static final long TEXT_PAUSE_NANOS = 10_000_000_000L;

  private final Optional<Kernel> kernel;
  private final String displayId = UUID.randomUUID().toString();
  private final Map<String, Map<Outcome, Integer>> outcomes = new LinkedHashMap<>();
  private int done;
  private int total;
  private long startedNanos;
  private long shownNanos;
  private boolean displayed;

  private Progress(Optional<Kernel> kernel) {
    this.kernel = kernel;
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
    shownNanos = startedNanos;
    if (kernel.isPresent()) {
      show();
    }
  }

  @Override
  public void ended(RunRecord run, int runsDone, int runs) {
    done = runsDone;
    total = runs;
    outcomes
        .computeIfAbsent(run.form(), form -> new EnumMap<>(Outcome.class))
        .merge(run.outcome(), 1, Integer::sum);
    long pause = kernel.isPresent() ? NOTEBOOK_PAUSE_NANOS : TEXT_PAUSE_NANOS;
    if (done == total || System.nanoTime() - shownNanos >= pause) {
      show();
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

  private void show() {
    shownNanos = System.nanoTime();
    String line = line();
    if (kernel.isEmpty()) {
      System.out.println(line);
      return;
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("text/plain", line);
    data.put(
        "text/html", "<progress max=\"" + total + "\" value=\"" + done + "\"></progress> " + line);
    try {
      if (displayed) {
        kernel.get().update(data, displayId);
      } else {
        kernel.get().display(data, displayId);
        displayed = true;
      }
    } catch (ReflectiveOperationException | RuntimeException unknownKernel) {
      System.out.println(line);
    }
  }
}
