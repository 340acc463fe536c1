package dev.hiplab.cli;

import dev.hiplab.measure.MeasureListener;
import dev.hiplab.report.TerminalText;
import java.time.Duration;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows a survey's progress: a bar on a terminal, else a plain line a shape. */
final class SurveyProgress implements MeasureListener, AutoCloseable {
  private static final int WIDTH = 79;

  private final boolean terminal;
  private ProgressBar bar;
  private boolean closed; // guarded by this: the bar draws on a thread of its own

  SurveyProgress(boolean terminal) {
    this.terminal = terminal;
  }

  @Override
  public void started(String unit, int total, int done) {
    if (done > 0) {
      System.out.println("resuming: " + done + " of " + total + " " + unit + " are done");
    }
    if (terminal) {
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
  }

  @Override
  public void running(String what) {
    if (bar != null) {
      bar.setExtraMessage(TerminalText.line(" " + what));
    }
  }

  @Override
  public void ended(String what, int done, int total) {
    if (bar != null) {
      bar.stepTo(done);
    } else {
      System.out.println(TerminalText.line(done + "/" + total + " " + what));
    }
  }

  /** The bar has a shutdown hook that would draw over what Ctrl-C made us say. */
  private synchronized void draw(String text) {
    if (!closed) {
      System.err.print("\r" + text);
    }
  }

  @Override
  public void close() {
    if (bar == null) {
      return;
    }
    bar.close();
    synchronized (this) {
      if (!closed) {
        System.err.println();
      }
      closed = true;
    }
  }
}
