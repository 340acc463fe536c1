package dev.hiplab.report;

import dev.hiplab.Timeline.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * From a time to a place on the axis. Long stretches in which nothing begins or ends are cut out,
 * and the plot says where and how long: a forced order holds a thread for milliseconds between
 * things that take microseconds. Places are in milliseconds of what is left.
 */
final class LaneClock {
  /** Of the window: a longer gap is cut. */
  private static final double LONG = 0.2;

  private static final double BREAK = 0.06; // what a cut takes, of the time that is left
  private static final int MOST_CUTS = 5;

  /** A stretch that is cut out: where it begins and ends, and where its break begins. */
  record Cut(long from, long to, double place) {
    String length() {
      double millis = (to - from) / 1e6;
      return millis >= 10
          ? String.format(Locale.ROOT, "%.0f ms", millis)
          : millis >= 0.1
              ? String.format(Locale.ROOT, "%.1f ms", millis)
              : String.format(Locale.ROOT, "%.0f µs", millis * 1000);
    }
  }

  final LaneWindow window;
  final List<Cut> cuts;
  final double width; // places of the window
  final double breakWidth;

  private LaneClock(LaneWindow window, List<long[]> gaps) {
    this.window = window;
    double left = (window.to() - window.from()) / 1e6;
    for (long[] gap : gaps) {
      left -= (gap[1] - gap[0]) / 1e6;
    }
    breakWidth = left * BREAK;
    width = left + gaps.size() * breakWidth;
    List<Cut> made = new ArrayList<>();
    double cutOut = 0;
    for (long[] gap : gaps) {
      double place = (gap[0] - window.from()) / 1e6 - cutOut + made.size() * breakWidth;
      made.add(new Cut(gap[0], gap[1], place));
      cutOut += (gap[1] - gap[0]) / 1e6;
    }
    cuts = List.copyOf(made);
  }

  static LaneClock even(LaneWindow window) {
    return new LaneClock(window, List.of());
  }

  /** Cuts gaps between what begins and ends in the window, the longest first. */
  static LaneClock cutting(LaneWindow window, List<Entry> shown) {
    List<Long> times = new ArrayList<>(List.of(window.from(), window.to()));
    for (Entry entry : shown) {
      for (long time : new long[] {entry.beginNanos(), entry.endNanos()}) {
        if (time > window.from() && time < window.to()) {
          times.add(time);
        }
      }
    }
    times.sort(Comparator.naturalOrder());
    List<long[]> gaps = new ArrayList<>();
    for (int i = 1; i < times.size(); i++) {
      gaps.add(new long[] {times.get(i - 1), times.get(i)});
    }
    gaps.sort(Comparator.comparingLong(gap -> gap[0] - gap[1]));
    double left = window.to() - window.from();
    List<long[]> cut = new ArrayList<>();
    for (long[] gap : gaps) {
      if (gap[1] - gap[0] <= left * LONG || cut.size() == MOST_CUTS) {
        break;
      }
      long margin = (gap[1] - gap[0]) / 50; // what stands at its ends is not in the break
      cut.add(new long[] {gap[0] + margin, gap[1] - margin});
      left -= gap[1] - gap[0] - 2 * margin;
    }
    cut.sort(Comparator.comparingLong(gap -> gap[0]));
    return new LaneClock(window, cut);
  }

  /** A time outside the window goes to its edge. */
  double place(long nanos) {
    long time = Math.max(window.from(), Math.min(window.to(), nanos));
    double place = (time - window.from()) / 1e6;
    for (Cut cut : cuts) {
      if (time >= cut.to()) {
        place += breakWidth - (cut.to() - cut.from()) / 1e6;
      } else if (time > cut.from()) {
        double part = (double) (time - cut.from()) / (cut.to() - cut.from());
        return cut.place() + part * breakWidth;
      }
    }
    return place;
  }

  /** The stretch that is cut out with this time in it, or null. */
  Cut cutAt(double nanos) {
    return cuts.stream()
        .filter(cut -> nanos > cut.from() && nanos < cut.to())
        .findFirst()
        .orElse(null);
  }
}
