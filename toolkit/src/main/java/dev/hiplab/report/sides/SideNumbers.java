package dev.hiplab.report.sides;

import dev.hiplab.race.RunRecord;
import dev.hiplab.report.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The numbers of a row as a person reads them, beside each other with slashes. */
final class SideNumbers {
  private SideNumbers() {}

  /** Medians of all sides: {@code 738 / 751}. */
  static String medians(SideRow row, ToDoubleFunction<RunRecord> millis) {
    IntToDoubleFunction median = side -> row.median(side, millis);
    return joined(IntStream.range(0, row.sides().size()), median, Labels::millis);
  }

  /** Ratios of the others to the first: {@code 1.02}. */
  static String ratios(SideRow row, ToDoubleFunction<RunRecord> millis) {
    return joined(others(row), side -> row.ratio(side, millis), SideNumbers::ratio);
  }

  /** Fisher's p of the others beside the first. */
  static String p(SideRow row) {
    return joined(others(row), row::p, SideNumbers::p);
  }

  private static IntStream others(SideRow row) {
    return IntStream.range(1, row.sides().size());
  }

  private static String joined(
      IntStream sides, IntToDoubleFunction value, DoubleFunction<String> words) {
    List<String> all = new ArrayList<>();
    sides.forEach(
        side -> {
          String word = words.apply(value.applyAsDouble(side));
          all.add(word.isEmpty() ? "-" : word);
        });
    boolean none = all.stream().allMatch("-"::equals);
    return none ? "" : String.join(" / ", all);
  }

  private static String ratio(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "";
  }

  private static String p(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    return value < 0.001
        ? "<0.001"
        : String.format(Locale.ROOT, value < 0.1 ? "%.3f" : "%.2f", value);
  }
}
