package dev.hiplab.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Tick labels and grid lines of one axis. XChart's own ticks cannot be placed: on a logarithmic
 * axis it labels whole powers of ten only, and on an axis of runs it may label half a run.
 */
final class Ticks extends Layer {
  /** Pixels that an axis title must leave for tick labels below the plot. */
  static final int ROOM_BELOW = 26;

  private record Tick(double value, String label) {}

  private final boolean horizontal;
  private final boolean grid;
  private final List<Tick> ticks = new ArrayList<>();

  private Ticks(boolean horizontal, boolean grid) {
    this.horizontal = horizontal;
    this.grid = grid;
  }

  /** Whole numbers from 0 to {@code count - 1} below the plot, at most about 20 of them. */
  static Ticks ofRuns(int count) {
    Ticks axis = new Ticks(true, false);
    double step = Math.max(1, niceStep(count / 20.0));
    for (double value = 0; value < count; value += step) {
      axis.ticks.add(new Tick(value, String.format(Locale.ROOT, "%.0f", value)));
    }
    return axis;
  }

  /** About eight round numbers from 0 to {@code max} below the plot. */
  static Ticks linear(double max) {
    Ticks axis = new Ticks(true, true);
    double step = niceStep(max / 8);
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step)));
    for (int i = 0; i * step <= max; i++) {
      axis.ticks.add(
          new Tick(i * step, String.format(Locale.ROOT, "%." + decimals + "f", i * step)));
    }
    return axis;
  }

  /** About eight round numbers below the plot, on an axis that does not begin with 0. */
  static Ticks between(double min, double max) {
    Ticks axis = new Ticks(true, true);
    double step = niceStep((max - min) / 8);
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step)));
    for (long i = (long) Math.ceil(min / step); i * step <= max; i++) {
      axis.ticks.add(
          new Tick(i * step, String.format(Locale.ROOT, "%." + decimals + "f", i * step)));
    }
    return axis;
  }

  /** Round numbers of milliseconds below the plot, but for what is cut out. */
  static Ticks of(LaneClock clock) {
    Ticks axis = new Ticks(true, true);
    double step = niceStep(clock.width / (clock.cuts.isEmpty() ? 8 : 16));
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step)));
    long last = (long) Math.floor(clock.window.to() / 1e6 / step);
    for (long i = (long) Math.ceil(clock.window.from() / 1e6 / step); i <= last; i++) {
      double nanos = i * step * 1e6;
      LaneClock.Cut cut = clock.cutAt(nanos);
      if (cut != null) { // on behind it
        i = Math.max(i, (long) Math.ceil(cut.to() / 1e6 / step) - 1);
        continue;
      }
      axis.ticks.add(
          new Tick(
              clock.place(Math.round(nanos)),
              String.format(Locale.ROOT, "%." + decimals + "f", i * step)));
    }
    return axis;
  }

  /** 1, 2 and 5 times powers of ten, on an axis that holds decimal logarithms. */
  static Ticks log10(double min, double max) {
    return log10(new Ticks(true, true), min, max, 1, 2, 5);
  }

  /** The same left of the plot; of many decades powers of ten alone, so that labels have room. */
  static Ticks leftLog10(double min, double max) {
    Ticks axis = new Ticks(false, true);
    return max - min > 2.5 ? log10(axis, min, max, 1) : log10(axis, min, max, 1, 2, 5);
  }

  private static Ticks log10(Ticks axis, double min, double max, int... digits) {
    for (int exponent = (int) Math.floor(min); exponent <= max; exponent++) {
      for (int digit : digits) {
        double place = exponent + Math.log10(digit);
        if (place >= min && place <= max) {
          String format = exponent >= 0 ? "%,.0f" : "%." + -exponent + "f";
          String label = String.format(Locale.ROOT, format, digit * Math.pow(10, exponent));
          axis.ticks.add(new Tick(place, label));
        }
      }
    }
    return axis;
  }

  /** Every {@code step} from 0 to {@code max}, left of the plot. */
  static Ticks left(double max, double step, DoubleFunction<String> label) {
    Ticks axis = new Ticks(false, true);
    for (double value = 0; value <= max; value += step) {
      axis.ticks.add(new Tick(value, label.apply(value)));
    }
    return axis;
  }

  /** 1, 2 or 5 times a power of ten, at least {@code atLeast}. */
  private static double niceStep(double atLeast) {
    double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
    for (int digit : new int[] {1, 2, 5}) {
      if (digit * power >= atLeast) {
        return digit * power;
      }
    }
    return 10 * power;
  }

  @Override
  void draw(Graphics2D g) {
    g.setStroke(new BasicStroke(1));
    double free = left() - 40;
    for (Tick tick : ticks) {
      double half = width(g, tick.label, ChartFrame.PLAIN) / 2;
      if (horizontal) {
        double x = x(tick.value);
        line(g, x, top(), x, bottom());
        if (x - half >= free) { // labels do not overlap on a range of many decades
          double inside = Math.max(half + 2, Math.min(x, chart.getWidth() - half - 2));
          centered(g, tick.label, inside, bottom() + 15, ChartFrame.PLAIN, ChartFrame.INK);
          free = x + half + 8;
        }
      } else {
        double y = y(tick.value);
        line(g, left(), y, right(), y);
        text(g, tick.label, left() - 6 - 2 * half, y + 4, ChartFrame.PLAIN, ChartFrame.INK);
      }
    }
  }

  private void line(Graphics2D g, double x1, double y1, double x2, double y2) {
    if (grid) {
      g.setColor(new Color(0, 0, 0, 26)); // over the marks, so nearly transparent
      g.draw(new Line2D.Double(x1, y1, x2, y2));
    }
  }
}
