package dev.hiplab.cli;

import dev.hiplab.report.TerminalText;
import java.time.Duration;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on standard error, for a terminal. */
final class TerminalBar implements AutoCloseable {
  private static final int WIDTH = 79;

  private final ProgressBar bar;
  private boolean closed; // guarded by this: the bar draws on a thread of its own

  /** Begins at {@code done} of {@code total}. */
  TerminalBar(String unit, int total, int done) {
    bar =
        new ProgressBarBuilder()
            .setInitialMax(total)
            .setTaskName(unit)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setConsumer(new DelegatingProgressBarConsumer(this::draw, WIDTH))
            .startsFrom(done, Duration.ZERO)
            .build();
  }

  void running(String what) {
    bar.setExtraMessage(TerminalText.line(" " + what));
  }

  void stepTo(int done) {
    bar.stepTo(done);
  }

  /** The bar has a shutdown hook that would draw over what Ctrl-C made us say. */
  private synchronized void draw(String text) {
    if (!closed) {
      System.err.print("\r" + text);
    }
  }

  @Override
  public void close() {
    bar.close();
    synchronized (this) {
      if (!closed) {
        System.err.println();
      }
      closed = true;
    }
  }
}
