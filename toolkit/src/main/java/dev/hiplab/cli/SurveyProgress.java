package dev.hiplab.cli;

import dev.hiplab.measure.MeasureListener;
import dev.hiplab.report.TerminalText;

/** Shows a survey's progress: a bar on a terminal, else a plain line a shape. */
final class SurveyProgress implements MeasureListener, AutoCloseable {
  private final boolean terminal;
  private TerminalBar bar; // null before the start, and where there is no terminal

  SurveyProgress(boolean terminal) {
    this.terminal = terminal;
  }

  @Override
  public void started(String unit, int total, int done) {
    if (done > 0) {
      System.out.println("resuming: " + done + " of " + total + " " + unit + " are done");
    }
    if (terminal) {
      bar = new TerminalBar(unit, total, done);
    }
  }

  @Override
  public void running(String what) {
    if (bar != null) {
      bar.running(what);
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

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
