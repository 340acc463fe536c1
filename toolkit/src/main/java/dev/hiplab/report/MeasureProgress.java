package dev.hiplab.report;

import dev.hiplab.measure.MeasureListener;
import java.util.Optional;

/**
 * Shows the progress of a survey or a timing as {@link Progress} does a campaign's. A short one
 * shows none. For one at a time; used by the thread that runs it.
 */
public final class MeasureProgress implements MeasureListener {
  private final LiveLine shown;
  private String unit = "";
  private String now = "";
  private int done;
  private int total;
  private long startedNanos;
  private boolean told;

  private MeasureProgress(Optional<Kernel> kernel) {
    shown = new LiveLine(kernel);
  }

  /** For {@code survey().listener(MeasureProgress.live())}. */
  public static MeasureProgress live() {
    return new MeasureProgress(Kernel.current());
  }

  static MeasureProgress on(Optional<Kernel> kernel) {
    return new MeasureProgress(kernel);
  }

  @Override
  public void started(String what, int steps, int already) {
    unit = what;
    total = steps;
    done = already;
    told = false;
    startedNanos = System.nanoTime();
    if (what.equals("shapes")) {
      told = true;
      shown.begin(line(), done, total);
    }
  }

  @Override
  public void running(String what) {
    now = what;
    showIfDue();
  }

  @Override
  public void ended(String what, int steps, int of) {
    done = steps;
    total = of;
    showIfDue();
  }

  private void showIfDue() {
    if (System.nanoTime() - startedNanos > 1_000_000_000L && shown.due()) {
      told = true;
      shown.show(line(), done, total);
    }
  }

  @Override
  public void finished() {
    now = "";
    if (told) {
      shown.show(line(), done, total);
    }
  }

  /** {@code 3 of 15 shapes, 4 s; bf16 1x4096x4096 NT, candidate 2}. */
  String line() {
    String of = total == 0 ? "" : " of " + total;
    long seconds = (System.nanoTime() - startedNanos) / 1_000_000_000L;
    return done + of + " " + unit + ", " + seconds + " s" + (now.isEmpty() ? "" : "; " + now);
  }
}
