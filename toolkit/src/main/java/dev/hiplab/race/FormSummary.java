package dev.hiplab.race;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The runs of one form on one profile, counted.
 *
 * @param scenario id
 * @param profile the software device's profile; empty on real hardware
 * @param form name
 * @param runs how many there are
 * @param outcomes how often each was seen
 * @param grades how often each was given
 * @param wallMillis median of spawn to exit
 * @param workMillis median of the workload alone; NaN when no run told
 * @param reason first detail of a run that did not go as the form should, or could not be
 */
public record FormSummary(
    String scenario,
    String profile,
    String form,
    int runs,
    Map<Outcome, Integer> outcomes,
    Map<Grade, Integer> grades,
    double wallMillis,
    double workMillis,
    String reason) {
  private record Key(String scenario, String profile, String form) {
    static Key of(RunRecord run) {
      return new Key(run.scenario(), run.environment().getOrDefault("profile", ""), run.form());
    }
  }

  /** One summary for each scenario, profile and form, in the order in which they first ran. */
  public static List<FormSummary> of(List<RunRecord> runs) {
    Map<Key, List<RunRecord>> groups = new LinkedHashMap<>();
    for (RunRecord run : runs) {
      groups.computeIfAbsent(Key.of(run), k -> new ArrayList<>()).add(run);
    }
    return groups.values().stream().map(FormSummary::ofForm).toList();
  }

  private static FormSummary ofForm(List<RunRecord> runs) {
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    Map<Grade, Integer> grades = new EnumMap<>(Grade.class);
    String reason = "";
    for (RunRecord run : runs) {
      outcomes.merge(run.outcome(), 1, Integer::sum);
      grades.merge(run.grade(), 1, Integer::sum);
      reason = reason.isEmpty() ? run.detail() : reason;
    }
    RunRecord first = runs.get(0);
    return new FormSummary(
        first.scenario(),
        Key.of(first).profile(),
        first.form(),
        runs.size(),
        outcomes,
        grades,
        median(runs, RunRecord::wallMillis),
        median(runs, RunRecord::workMillis),
        reason);
  }

  /** Median of what is a number; NaN when nothing is. */
  static double median(List<RunRecord> runs, ToDoubleFunction<RunRecord> value) {
    double[] sorted = runs.stream().mapToDouble(value).filter(x -> !Double.isNaN(x)).toArray();
    Arrays.sort(sorted);
    int n = sorted.length;
    return n == 0 ? Double.NaN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  /** Runs with an outcome. */
  public int count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0);
  }

  /** Runs with a grade. */
  public int count(Grade grade) {
    return grades.getOrDefault(grade, 0);
  }

  /** One line: runs, outcomes, grades, median times. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    line.append(scenario);
    line.append(profile.isEmpty() ? "" : " on " + profile);
    line.append(' ').append(form).append(": ").append(runs);
    line.append(runs == 1 ? " run: " : " runs: ").append(list(outcomes, false));
    line.append(" (").append(list(grades, true)).append("); median ");
    line.append(millis(wallMillis)).append(" a process");
    if (!Double.isNaN(workMillis)) {
      line.append(", ").append(millis(workMillis)).append(" of it the workload");
    }
    return line.toString();
  }

  private static <E extends Enum<E>> String list(Map<E, Integer> counts, boolean lower) {
    List<String> parts = new ArrayList<>();
    counts.forEach(
        (name, count) -> {
          String text = lower ? name.name().toLowerCase(Locale.ROOT) : name.name();
          parts.add(count + " " + text);
        });
    return String.join(", ", parts);
  }

  private static String millis(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f ms" : "%.0f ms", value);
  }
}
