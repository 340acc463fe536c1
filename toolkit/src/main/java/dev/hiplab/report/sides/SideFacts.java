package dev.hiplab.report.sides;

import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** What is not the same on all sides, beside their outcomes. */
final class SideFacts {
  private static final String NONE = "-";
  private static final int FEW = 6;

  private SideFacts() {}

  /**
   * Name of a thing to its value on each side, of those that differ; {@code -} where it has none.
   */
  static Map<String, List<String>> different(Sides sides) {
    List<Map<String, Set<String>>> facts = sides.runs().stream().map(SideFacts::of).toList();
    Set<String> keys = new TreeSet<>();
    facts.forEach(side -> keys.addAll(side.keySet()));
    Map<String, List<String>> different = new TreeMap<>();
    for (String key : keys) {
      List<String> values = new ArrayList<>();
      for (Map<String, Set<String>> side : facts) {
        String value = String.join(" / ", side.getOrDefault(key, Set.of()));
        values.add(value.isBlank() ? NONE : value);
      }
      if (values.stream().distinct().count() > 1) {
        different.put(key, values);
      }
    }
    return different;
  }

  private static Map<String, Set<String>> of(CampaignRuns side) {
    Map<String, Set<String>> facts = new TreeMap<>();
    for (RunRecord run : side.records()) {
      run.environment().forEach((key, value) -> add(facts, key.replace("version.", ""), value));
      add(facts, "scenarios", run.scenario());
    }
    facts.putIfAbsent("jobs", Set.of("1"));
    long first = side.records().stream().mapToLong(RunRecord::seed).min().orElseThrow();
    long last = side.records().stream().mapToLong(RunRecord::seed).max().orElseThrow();
    add(facts, "seeds", first == last ? "" + first : first + " to " + last);
    if (side.asked() > 0) {
      add(facts, "runs of each form and way", "" + side.asked());
    }
    side.sources().forEach((file, text) -> add(facts, "source " + file, hash(text)));
    return facts;
  }

  /** Enough to see that two texts are not the same. */
  private static String hash(String text) {
    return text.lines().count() + " lines, hash " + Integer.toHexString(text.hashCode());
  }

  private static void add(Map<String, Set<String>> facts, String key, String value) {
    facts.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(value);
  }

  /** Sentences on what a reader must not conclude, and on what is not there. */
  static List<String> cautions(Sides sides) {
    List<String> cautions = new ArrayList<>();
    Map<String, List<String>> different = different(sides);
    List<String> why =
        List.of("device", "driver", "jobs", "os", "java").stream()
            .filter(different::containsKey)
            .toList();
    cautions.add(
        "A ratio is a median over that of "
            + sides.names().get(0)
            + (why.isEmpty()
                ? "; the load of the machines is not recorded."
                : "; the sides differ in "
                    + String.join(", ", why)
                    + ", and the load of the machines is not recorded: it is no measure of a change."));
    cautions.add(
        "p is Fisher's exact test, two-sided, of failed against right runs of one row beside "
            + sides.names().get(0)
            + ": the chance of a split at least as uneven when both fail equally often. It is not"
            + " corrected for the number of rows, and runs that were not applicable do not count.");
    shared(sides, cautions);
    for (int side = 0; side < sides.count(); side++) {
      int it = side;
      long missing = sides.rows().stream().filter(row -> row.isMissing(it)).count();
      if (missing > 0) {
        cautions.add(
            sides.names().get(side)
                + " lacks "
                + missing
                + " of "
                + sides.rows().size()
                + " rows: "
                + some(sides, side));
      }
    }
    return cautions;
  }

  private static String some(Sides sides, int side) {
    List<SideRow> missing = sides.rows().stream().filter(row -> row.isMissing(side)).toList();
    List<String> names =
        missing.stream().limit(4).map(row -> row.scenario() + " " + row.label()).toList();
    return String.join(", ", names)
        + (missing.size() > names.size()
            ? " and " + (missing.size() - names.size()) + " more."
            : ".");
  }

  private static void shared(Sides sides, List<String> cautions) {
    List<Set<RunRecord>> runs =
        sides.runs().stream().map(s -> (Set<RunRecord>) new LinkedHashSet<>(s.records())).toList();
    for (int a = 0; a < runs.size(); a++) {
      for (int b = a + 1; b < runs.size(); b++) {
        Set<RunRecord> other = runs.get(b);
        long both = runs.get(a).stream().filter(other::contains).count();
        if (both > 0) {
          cautions.add(
              sides.names().get(a)
                  + " and "
                  + sides.names().get(b)
                  + " hold "
                  + both
                  + " runs that are the same ones.");
        }
      }
    }
  }

  /** What came of it: how many rows differ, and which. */
  static List<String> conclusion(Sides sides) {
    List<SideRow> both =
        sides.rows().stream()
            .filter(row -> IntStream.range(0, sides.count()).noneMatch(row::isMissing))
            .toList();
    List<SideRow> differ = both.stream().filter(SideRow::differs).toList();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "Of "
            + sides.rows().size()
            + " rows "
            + both.size()
            + " are there on all sides, and of those "
            + (differ.isEmpty() ? "none differs" : differ.size() + " differ")
            + " in the kinds of outcomes.");
    differ.stream()
        .limit(FEW)
        .forEach(
            row ->
                sentences.add(
                    row.scenario() + " " + row.label() + ": " + row.inWords(sides.names()) + "."));
    if (differ.size() > FEW) {
      sentences.add(differ.size() - FEW + " more that differ are in the table.");
    }
    return sentences;
  }
}
