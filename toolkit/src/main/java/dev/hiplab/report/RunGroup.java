package dev.hiplab.report;

import dev.hiplab.race.Grade;
import dev.hiplab.race.Outcome;
import dev.hiplab.race.RunRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The runs of one form of one scenario on one profile: a row of the summary and of every plot.
 *
 * @param scenario id such as {@code rocblas.first-gemm}
 * @param profile the software device's profile, or empty on real hardware
 * @param form FILED or FIXED
 * @param runs in the order in which they were recorded; at least one
 */
record RunGroup(String scenario, String profile, String form, List<RunRecord> runs) {

  private record Key(String scenario, String profile, String form) {}

  /** Groups in the order in which each first appears, so that FILED stays beside its FIXED. */
  static List<RunGroup> of(List<RunRecord> records) {
    Map<Key, List<RunRecord>> byKey = new LinkedHashMap<>();
    for (RunRecord run : records) {
      Key key = new Key(run.scenario(), Origin.profile(run), run.form());
      byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
    }
    List<RunGroup> groups = new ArrayList<>();
    byKey.forEach(
        (key, runs) -> groups.add(new RunGroup(key.scenario, key.profile, key.form, runs)));
    return Collections.unmodifiableList(groups);
  }

  /** How often each outcome occurred; outcomes that did not occur are absent. */
  Map<Outcome, Integer> counts() {
    Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    runs.forEach(run -> counts.merge(run.outcome(), 1, Integer::sum));
    return counts;
  }

  int forbidden() {
    return (int) runs.stream().filter(run -> run.grade() == Grade.FORBIDDEN).count();
  }

  /** Median over the runs that have a value; NaN when none has. */
  double median(ToDoubleFunction<RunRecord> value) {
    double[] sorted = runs.stream().mapToDouble(value).filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The outcomes in words: {@code 19 WRONG_RESULT, 1 EXACT}, most frequent first. */
  String outcomesInWords() {
    List<String> words = new ArrayList<>();
    counts().entrySet().stream()
        .sorted(Map.Entry.<Outcome, Integer>comparingByValue().reversed())
        .forEach(e -> words.add(e.getValue() + " " + e.getKey()));
    return String.join(", ", words);
  }

  static String runs(int count) {
    return count + (count == 1 ? " run" : " runs");
  }

  /** The row's name among {@code all}: says only what tells it from the others. */
  String label(List<RunGroup> all) {
    StringBuilder label = new StringBuilder(form);
    if (all.stream().map(RunGroup::profile).distinct().count() > 1 && !profile.isEmpty()) {
      label.append(" on ").append(profile);
    }
    if (all.stream().map(RunGroup::scenario).distinct().count() > 1) {
      label.insert(0, scenario + " ");
    }
    return label.toString();
  }
}
