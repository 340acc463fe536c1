package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.Schedule;
import dev.hiplab.scenario.ForcedOrders;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Way;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The runs of one form of one scenario in one way on one profile, counted: a row of every table and
 * plot.
 *
 * @param scenario id
 * @param profile the software device's profile; empty on real hardware
 * @param form name
 * @param way label of the interleaving
 * @param records in the order in which they ran; at least one
 */
public record FormSummary(
    String scenario, String profile, String form, String way, List<RunRecord> records) {
  public FormSummary {
    records = List.copyOf(records);
  }

  private static final String UNTOLD = "not told";

  private record Key(String scenario, String profile, String form, String way) {}

  /**
   * One summary for each scenario, profile, form and way, in the order in which they first started.
   */
  public static List<FormSummary> of(List<RunRecord> records) {
    Map<Key, List<RunRecord>> groups = new LinkedHashMap<>();
    // With several jobs one that started later may have ended first.
    List<RunRecord> started =
        records.stream().sorted(Comparator.comparing(RunRecord::startedAt)).toList();
    for (RunRecord run : started) {
      Key key = new Key(run.scenario(), run.profile(), run.form(), run.way());
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
    }
    List<FormSummary> summaries = new ArrayList<>();
    groups.forEach(
        (key, runs) ->
            summaries.add(new FormSummary(key.scenario, key.profile, key.form, key.way, runs)));
    return List.copyOf(summaries);
  }

  /** How many runs there are. */
  public int runs() {
    return records.size();
  }

  /** How often each outcome was seen; those that were not are absent. */
  public Map<Outcome, Integer> outcomes() {
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    records.forEach(run -> outcomes.merge(run.outcome(), 1, Integer::sum));
    return outcomes;
  }

  /** How often each grade was given; those that were not are absent. */
  public Map<Grade, Integer> grades() {
    Map<Grade, Integer> grades = new EnumMap<>(Grade.class);
    records.forEach(run -> grades.merge(run.grade(), 1, Integer::sum));
    return grades;
  }

  /** Runs with an outcome. */
  public int count(Outcome outcome) {
    return outcomes().getOrDefault(outcome, 0);
  }

  /** Runs with one of these outcomes. */
  public int count(Set<Outcome> these) {
    return (int) records.stream().filter(run -> these.contains(run.outcome())).count();
  }

  /** Runs with a grade. */
  public int count(Grade grade) {
    return grades().getOrDefault(grade, 0);
  }

  /**
   * Whether a form that is said to fail never did: every run was right, or its order excluded, and
   * that is not what the source says of the form.
   */
  public boolean isGuard() {
    return records.stream().allMatch(run -> Outcome.PASSES.contains(run.outcome()))
        && count(Grade.INTERESTING) == runs();
  }

  /**
   * What became of the forced orders, run by run: {@code order held}, or {@code order held in 19,
   * excluded in 1}. Empty when none was forced; a run that died told nothing of its orders.
   */
  public String ordersInWords() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (RunRecord run : records) {
      counts.merge(order(run), 1, Integer::sum);
    }
    if (!way.startsWith(Way.FORCED.text()) || counts.keySet().equals(Set.of(UNTOLD))) {
      return "";
    }
    List<String> words = new ArrayList<>();
    counts.forEach((what, runs) -> words.add(what + (runs == runs() ? "" : " in " + runs)));
    return "order " + String.join(", ", words);
  }

  /** That of the order that went worst. */
  private static String order(RunRecord run) {
    String told = UNTOLD;
    for (Schedule.Status status : Schedule.Status.values()) {
      long orders = run.counters().getOrDefault(ForcedOrders.counter(status), 0L);
      told = orders > 0 ? status.toString() : told;
    }
    return told;
  }

  /** Median over the runs that have a value; NaN when none has. */
  public double median(ToDoubleFunction<RunRecord> value) {
    return quantile(value, 0.5);
  }

  /**
   * Quantile over the runs that have a value, between two of them by their distance (Hyndman and
   * Fan's type 7, which most tools use); NaN when none has.
   *
   * @param share 0 to 1: 0.25 is the lower quartile
   */
  public double quantile(ToDoubleFunction<RunRecord> value, double share) {
    if (value == null) {
      throw new HiplabException("quantile needs a value of a run, such as RunRecord::wallMillis");
    }
    if (!(share >= 0 && share <= 1)) {
      throw new HiplabException("a quantile's share is " + share + "; give one from 0 to 1");
    }
    double[] sorted = records.stream().mapToDouble(value).filter(Double::isFinite).toArray();
    Arrays.sort(sorted);
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** The outcomes in words, most frequent first: {@code 19 WRONG_RESULT, 1 EXACT}. */
  public String outcomesInWords() {
    return words(outcomes());
  }

  /** One line: runs, outcomes, grades, median times, seeds. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    line.append(scenario);
    line.append(profile.isEmpty() ? "" : " on " + profile);
    line.append(' ').append(form);
    line.append(Interleaving.suffix(way)).append(": ").append(runs());
    line.append(runs() == 1 ? " run: " : " runs: ").append(outcomesInWords());
    line.append(" (").append(words(grades()).toLowerCase(Locale.ROOT)).append("); median ");
    line.append(millis(median(RunRecord::wallMillis)))
        .append(" a ")
        .append(InProcess.made(records.get(0)) ? "run" : "process");
    double workMillis = median(RunRecord::workMillis);
    if (!Double.isNaN(workMillis)) {
      line.append(", ").append(millis(workMillis)).append(" of it the workload");
    }
    String orders = ordersInWords();
    line.append(orders.isEmpty() ? "" : "; " + orders);
    return line.append("; ").append(seeds()).toString();
  }

  /** Runs of one index share their seed, whatever their form and way. */
  private String seeds() {
    long first = records.stream().mapToLong(RunRecord::seed).min().orElseThrow();
    long last = records.stream().mapToLong(RunRecord::seed).max().orElseThrow();
    return first == last ? "seed " + first : "seeds " + first + " to " + last;
  }

  private static <E extends Enum<E>> String words(Map<E, Integer> counts) {
    List<String> words = new ArrayList<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.<E, Integer>comparingByValue().reversed())
        .forEach(entry -> words.add(entry.getValue() + " " + entry.getKey()));
    return String.join(", ", words);
  }

  private static String millis(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f ms" : "%.0f ms", value);
  }
}
