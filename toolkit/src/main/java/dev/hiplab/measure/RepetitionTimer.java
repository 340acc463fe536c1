package dev.hiplab.measure;

import dev.hiplab.Event;
import dev.hiplab.Stream;
import java.util.ArrayList;
import java.util.List;

/**
 * Times work on one stream, each repetition between two device events. A batch of repetitions is
 * enqueued ahead of the device, behind a {@link BatchGate} where the work does not wait itself, so
 * that the device does not wait for the host between two events: where it does, their distance is
 * the host's. Used by one thread.
 */
final class RepetitionTimer implements AutoCloseable {
  /** Most repetitions that are enqueued before their times are read. */
  static final int MOST_AHEAD = 16;

  /** Device time that may be enqueued ahead, milliseconds: an interrupt waits for no more. */
  private static final double AHEAD_MILLIS = 50;

  /**
   * The first of a batch runs with caches that the wait at the gate left cold (measured on the
   * software device: 1.2 us instead of 0.4 us). Where work is shorter than this it runs once before
   * it, untimed.
   */
  private static final double LEAD_BELOW_MILLIS = 1;

  /**
   * One that is done.
   *
   * @param deviceMs of the device, between its events
   * @param enqueueUs of the host, in the work
   * @param gated whether it was enqueued behind a gate
   */
  record Repetition(double deviceMs, double enqueueUs, boolean gated) {}

  private record Enqueued(double micros, boolean gated) {}

  private record Mark(Event begin, Event end) {}

  private final Stream stream;
  private final List<Mark> marks = new ArrayList<>();
  private final List<Enqueued> batch = new ArrayList<>();
  private final BatchGate gate;
  private final int mostAhead;
  private double longestMs = Double.NaN; // of the last batch
  private double shortestMs = Double.NaN; // of all

  RepetitionTimer(Stream stream) {
    this(stream, MOST_AHEAD);
  }

  RepetitionTimer(Stream stream, int mostAhead) {
    this.stream = stream;
    this.gate = new BatchGate(stream);
    this.mostAhead = mostAhead;
  }

  /**
   * Enqueues the work once, between two events.
   *
   * @param behindGate only for work that waits for nothing, else it would wait for ever
   */
  void enqueue(Work work, boolean behindGate) throws Exception {
    int place = batch.size();
    if (place == marks.size()) {
      Event begin = stream.device().event();
      marks.add(new Mark(begin, stream.device().event()));
    }
    Mark mark = marks.get(place);
    boolean first = !gate.isShut();
    boolean gated = behindGate && gate.shut();
    if (!gated) {
      gate.open();
    }
    try {
      if (gated && first && shortestMs < LEAD_BELOW_MILLIS) {
        work.on(stream);
      }
      stream.record(mark.begin);
      long from = System.nanoTime();
      work.on(stream);
      double micros = (System.nanoTime() - from) / 1e3;
      stream.record(mark.end);
      Captured.refuse(stream);
      batch.add(new Enqueued(micros, gated));
    } catch (Throwable e) {
      gate.open();
      throw e;
    }
  }

  /** Whether as much is enqueued as should be before times are read. */
  boolean full() {
    double fit = AHEAD_MILLIS / longestMs; // NaN before anything was timed
    return batch.size() >= Math.max(1, fit >= mostAhead ? mostAhead : (int) fit);
  }

  /** Lets what is enqueued go and waits for it: its times, in order. */
  List<Repetition> collect() {
    gate.open();
    longestMs = batch.isEmpty() ? longestMs : 0;
    List<Repetition> done = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      Mark mark = marks.get(i);
      double millis = mark.end.millisSince(mark.begin);
      longestMs = Math.max(millis, longestMs);
      shortestMs = Double.isNaN(shortestMs) ? millis : Math.min(millis, shortestMs);
      done.add(new Repetition(millis, batch.get(i).micros, batch.get(i).gated));
    }
    batch.clear();
    return done;
  }

  @Override
  public void close() {
    gate.close();
    for (Mark mark : marks) {
      mark.begin.close();
      mark.end.close();
    }
  }
}
