package dev.hiplab.report;

import dev.hiplab.Timeline;
import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import dev.hiplab.Timeline.Lane;
import dev.hiplab.Timeline.LaneKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of a timeline that a plot shows. Nanoseconds. */
record LaneWindow(long from, long to) {
  private static final int RUNS = 48;
  private static final int LANES = 20;
  private static final Pattern PLACE = Pattern.compile("([^\\s:]+):([^\\s#]+)");

  /**
   * Where a reader looks first: around the points of the schedule, if they were passed; else the
   * first few dozen GEMMs, kernels or launches with what led to them.
   *
   * @param schedule its text; empty when none was in charge
   */
  static LaneWindow of(Timeline timeline, String schedule) {
    Set<String> places = places(schedule);
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Entry point : timeline.of(Kind.POINT)) {
      if (places.contains(place(point))) {
        from = Math.min(from, point.beginNanos());
        to = Math.max(to, point.endNanos());
      }
    }
    return (from > to ? ofWork(timeline) : withRuns(timeline, from, to, places)).widened();
  }

  /** The points that a schedule names, as {@link #place} writes them. */
  static Set<String> places(String schedule) {
    Set<String> places = new HashSet<>();
    for (Matcher match = PLACE.matcher(schedule); match.find(); ) {
      places.add(match.group(1) + ":" + match.group(2));
    }
    return places;
  }

  static String place(Entry point) {
    return point.lane().name() + ":" + point.label();
  }

  /**
   * And what was enqueued in it, and by each thread next after its last point of the schedule, to
   * the end of its run: what an order brings about comes after it.
   */
  private static LaneWindow withRuns(Timeline timeline, long from, long to, Set<String> places) {
    Set<Long> calls = new HashSet<>();
    long last = to;
    for (Entry call : timeline.of(Kind.CALL)) {
      if (LaneStyle.of(call).isWork() && call.endNanos() >= from && call.beginNanos() <= to) {
        calls.add(call.call());
      }
    }
    for (Lane lane : timeline.lanes()) {
      Entry next = nextWork(timeline.in(lane), places);
      if (next != null) {
        calls.add(next.call());
        last = Math.max(last, next.endNanos());
      }
    }
    for (Entry run : timeline.of(Kind.RUN)) {
      if (calls.contains(run.call())) {
        last = Math.max(last, run.endNanos());
      }
    }
    return new LaneWindow(from, last);
  }

  /** The first work that a thread enqueued after its last point of the schedule; null for none. */
  private static Entry nextWork(List<Entry> lane, Set<String> places) {
    long after = Long.MAX_VALUE;
    for (Entry point : lane) {
      if (point.kind() == Kind.POINT && places.contains(place(point))) {
        after = point.endNanos();
      }
    }
    for (Entry call : lane) {
      if (call.kind() == Kind.CALL && call.beginNanos() >= after && LaneStyle.of(call).isWork()) {
        return call;
      }
    }
    return null;
  }

  /** From the first work of the workload's own threads on, as far as lanes and runs are few. */
  private static LaneWindow ofWork(Timeline timeline) {
    boolean others = timeline.entries().stream().anyMatch(e -> begins(e) && !ofMain(e));
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    int runs = 0;
    Set<Lane> lanes = new HashSet<>();
    for (Entry entry : timeline.entries()) {
      boolean first = begins(entry) && !(others && ofMain(entry));
      if (from == Long.MAX_VALUE && !first) {
        continue;
      }
      from = Math.min(from, entry.beginNanos());
      lanes.add(entry.lane());
      if (runs == RUNS || lanes.size() > LANES) {
        to = Math.max(to, entry.beginNanos()); // what comes now is beyond
        break;
      }
      if (begins(entry)) {
        to = Math.max(to, entry.endNanos());
        runs += entry.kind() == Kind.RUN ? 1 : 0;
      }
    }
    return from < to ? new LaneWindow(from, to) : whole(timeline);
  }

  private static LaneWindow whole(Timeline timeline) {
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Entry entry : timeline.entries()) {
      from = Math.min(from, entry.beginNanos());
      to = Math.max(to, entry.endNanos());
    }
    return from > to ? new LaneWindow(0, 1_000_000) : new LaneWindow(from, to);
  }

  private static boolean begins(Entry entry) {
    LaneStyle style = LaneStyle.of(entry);
    return entry.kind() != Kind.POINT
        && (style.isWork() || style == LaneStyle.COMPILE || isHandle(entry));
  }

  private static boolean ofMain(Entry entry) {
    return entry.lane().name().equals("main") || entry.lane().kind() == LaneKind.STREAM;
  }

  private static boolean isHandle(Entry entry) {
    return entry.label().equals("rocblas_create_handle") || entry.label().equals("hipblasLtCreate");
  }

  private LaneWindow widened() {
    long margin = Math.max(1000, (to - from) / 50);
    return new LaneWindow(Math.max(0, from - margin), to + margin);
  }

  boolean shows(Entry entry) {
    return entry.endNanos() >= from && entry.beginNanos() <= to;
  }
}
