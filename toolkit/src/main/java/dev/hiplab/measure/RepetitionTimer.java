package dev.hiplab.measure;

import dev.hiplab.Event;
import dev.hiplab.Stream;
import java.util.ArrayList;
import java.util.List;

/**
 * Times work on one stream, each repetition between two device events. Repetitions may be enqueued
 * ahead of the device, so that it does not wait for the host between them: where it does, the time
 * between the events is the host's. Used by one thread.
 */
final class RepetitionTimer implements AutoCloseable {
  /** Most repetitions that are enqueued before their times are read. */
  private static final int MOST_AHEAD = 16;

  /** Device time that may be enqueued ahead, milliseconds: an interrupt waits for no more. */
  private static final double AHEAD_MILLIS = 50;

  /** Device milliseconds and the host's microseconds in enqueuing. */
  record Repetition(double deviceMs, double enqueueUs) {}

  private record Mark(Event begin, Event end) {}

  private final Stream stream;
  private final List<Mark> marks = new ArrayList<>();
  private final List<Double> enqueueUs = new ArrayList<>();
  private double longestMs = Double.NaN;

  RepetitionTimer(Stream stream) {
    this.stream = stream;
  }

  /** Enqueues the work once, between two events. */
  void enqueue(Work work) throws Exception {
    int place = enqueueUs.size();
    if (place == marks.size()) {
      Event begin = stream.device().event();
      marks.add(new Mark(begin, stream.device().event()));
    }
    Mark mark = marks.get(place);
    stream.record(mark.begin);
    long from = System.nanoTime();
    work.on(stream);
    double micros = (System.nanoTime() - from) / 1e3;
    stream.record(mark.end);
    Captured.refuse(stream);
    enqueueUs.add(micros);
  }

  /** Whether as much is enqueued as should be before times are read. */
  boolean full() {
    double fit = AHEAD_MILLIS / longestMs; // NaN before anything was timed
    return enqueueUs.size() >= Math.max(1, fit >= MOST_AHEAD ? MOST_AHEAD : (int) fit);
  }

  /** Waits for what is enqueued: its times, in order. */
  List<Repetition> collect() {
    List<Repetition> done = new ArrayList<>();
    for (int i = 0; i < enqueueUs.size(); i++) {
      Mark mark = marks.get(i);
      double millis = mark.end.millisSince(mark.begin);
      longestMs = Math.max(millis, Double.isNaN(longestMs) ? 0 : longestMs);
      done.add(new Repetition(millis, enqueueUs.get(i)));
    }
    enqueueUs.clear();
    return done;
  }

  @Override
  public void close() {
    for (Mark mark : marks) {
      mark.begin.close();
      mark.end.close();
    }
  }
}
