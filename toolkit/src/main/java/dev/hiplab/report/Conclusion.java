package dev.hiplab.report;

import dev.hiplab.race.Detail;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Way;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the runs of one scenario on one profile come to. Computed from outcomes and grades alone: a
 * run failed as its source says when it failed and that was expected; a form is to fail when its
 * passes are not expected.
 *
 * @param scenario id
 * @param profile the software device's profile; empty on real hardware
 * @param verdict in a word
 * @param text in a sentence, with the counts of each way and form
 */
public record Conclusion(String scenario, String profile, Verdict verdict, String text) {
  /** What runs can come to. */
  public enum Verdict {
    /** A form failed as its source says, and no form failed that must not. */
    REPRODUCED,
    /** No form failed: here the scenario is a guard, and no reproduction. */
    GUARD,
    /** Only forms that are said to be right were run, and they were. */
    HOLDS,
    /** A form did what its source says it cannot do. */
    AGAINST_SOURCE,
    /** A form failed of which nothing was said. */
    UNCLAIMED,
    /** The device lacks what the finding needs. */
    NOT_APPLICABLE
  }

  /** One for each scenario and profile, in the order in which they first started. */
  public static List<Conclusion> of(List<RunRecord> records) {
    Map<List<String>, List<FormSummary>> rows = new LinkedHashMap<>();
    for (FormSummary row : FormSummary.of(records)) {
      rows.computeIfAbsent(List.of(row.scenario(), row.profile()), key -> new ArrayList<>())
          .add(row);
    }
    return rows.values().stream().map(Conclusion::conclude).toList();
  }

  private static Conclusion conclude(List<FormSummary> rows) {
    String scenario = rows.get(0).scenario();
    String profile = rows.get(0).profile();
    Verdict verdict = verdict(rows);
    String where = profile.isEmpty() ? scenario : scenario + " on " + profile;
    return new Conclusion(
        scenario,
        profile,
        verdict,
        where + ": " + words(verdict, rows) + " " + counts(rows, verdict) + ".");
  }

  private static Verdict verdict(List<FormSummary> rows) {
    if (rows.stream().allMatch(row -> applicable(row) == 0)) {
      return Verdict.NOT_APPLICABLE;
    }
    if (rows.stream().anyMatch(row -> row.count(Grade.FORBIDDEN) > 0)) {
      return Verdict.AGAINST_SOURCE;
    }
    if (rows.stream().anyMatch(row -> failedAsSaid(row) > 0)) {
      return Verdict.REPRODUCED;
    }
    if (rows.stream().anyMatch(row -> failed(row) > 0)) {
      return Verdict.UNCLAIMED;
    }
    return rows.stream().anyMatch(Conclusion::shouldFail) ? Verdict.GUARD : Verdict.HOLDS;
  }

  private static String words(Verdict verdict, List<FormSummary> rows) {
    return switch (verdict) {
      case REPRODUCED -> reproduced(rows);
      case GUARD -> "not reproduced here, where it is a guard: no run failed.";
      case HOLDS -> "right in every run" + allSaid(rows) + ".";
      case AGAINST_SOURCE -> "AGAINST THE SOURCE: " + against(rows) + ".";
      case UNCLAIMED -> "runs failed in ways of which nothing was claimed.";
      case NOT_APPLICABLE -> "not applicable: " + reason(rows) + ".";
    };
  }

  private static String reproduced(List<FormSummary> rows) {
    List<String> ways =
        rows.stream()
            .filter(row -> failedAsSaid(row) > 0)
            .map(FormSummary::way)
            .distinct()
            .toList();
    boolean forced = ways.stream().allMatch(Conclusion::isForced);
    boolean others = rows.stream().anyMatch(row -> !isForced(row.way()) && applicable(row) > 0);
    List<FormSummary> fixed =
        rows.stream().filter(row -> row.form().equals(Form.FIXED) && applicable(row) > 0).toList();
    boolean holds = !fixed.isEmpty() && fixed.stream().allMatch(row -> failed(row) == 0);
    int unclaimed = rows.stream().mapToInt(row -> failed(row) - failedAsSaid(row)).sum();
    return "reproduced"
        + (forced ? " in a forced order" + (others ? " only" : "") + names(ways) : "")
        + (holds ? ", and the fix holds" : "")
        + (unclaimed > 0
            ? "; " + Labels.runs(unclaimed) + " failed in ways of which nothing was claimed."
            : ".");
  }

  private static boolean isForced(String way) {
    return way.startsWith(Way.FORCED.text());
  }

  /** {@code (both-first)}: names of orders, where they have any. */
  private static String names(List<String> ways) {
    List<String> names =
        ways.stream()
            .filter(way -> way.contains(":"))
            .map(way -> way.substring(way.indexOf(':') + 1))
            .toList();
    return names.isEmpty() ? "" : " (" + String.join(", ", names) + ")";
  }

  private static String against(List<FormSummary> rows) {
    List<String> parts = new ArrayList<>();
    for (FormSummary row : rows) {
      int forbidden = row.count(Grade.FORBIDDEN);
      if (forbidden > 0) {
        parts.add(
            row.form()
                + " "
                + row.way()
                + " failed in "
                + forbidden
                + " of "
                + row.runs()
                + " runs");
      }
    }
    return String.join(", ", parts);
  }

  /** What every run said alike, such as the result of a survey. */
  private static String allSaid(List<FormSummary> rows) {
    List<Detail> details = rows.stream().flatMap(row -> Detail.of(row.records()).stream()).toList();
    boolean alike =
        rows.size() == 1
            && details.size() == 1
            && details.get(0).same()
            && details.get(0).runs() == rows.get(0).runs();
    return alike ? ": " + details.get(0).first() : "";
  }

  private static String reason(List<FormSummary> rows) {
    return rows.stream()
        .flatMap(row -> Detail.of(row.records()).stream())
        .map(Detail::first)
        .findFirst()
        .orElse("the device lacks what the finding needs");
  }

  /** {@code Failed: natural FILED 10 of 10, FIXED 0 of 10; forced FILED 4 of 5, ...}. */
  private static String counts(List<FormSummary> rows, Verdict verdict) {
    Map<String, List<String>> ways = new LinkedHashMap<>();
    for (FormSummary row : rows) {
      ways.computeIfAbsent(row.way(), way -> new ArrayList<>()).add(count(row));
    }
    List<String> parts = new ArrayList<>();
    ways.forEach((way, forms) -> parts.add(way + " " + String.join(", ", forms)));
    String failed = verdict == Verdict.NOT_APPLICABLE ? "Runs: " : "Failed: ";
    return failed + String.join("; ", parts);
  }

  private static String count(FormSummary row) {
    int absent = row.count(Outcome.NOT_APPLICABLE);
    if (absent == row.runs()) {
      return row.form() + " not applicable in " + absent;
    }
    List<String> notes = new ArrayList<>();
    if (row.count(Outcome.EXCLUDED) > 0) {
      notes.add(row.count(Outcome.EXCLUDED) + " excluded");
    }
    if (absent > 0) {
      notes.add(absent + " not applicable");
    }
    return row.form()
        + " "
        + failed(row)
        + " of "
        + applicable(row)
        + (notes.isEmpty() ? "" : " (" + String.join(", ", notes) + ")");
  }

  private static int failedAsSaid(FormSummary row) {
    return count(row, Outcome.FAILURES, Grade.EXPECTED);
  }

  /** A pass that is not what was expected. */
  private static boolean shouldFail(FormSummary row) {
    return count(row, Outcome.PASSES, Grade.INTERESTING) > 0;
  }

  private static int count(FormSummary row, Set<Outcome> outcomes, Grade grade) {
    return (int)
        row.records().stream()
            .filter(run -> run.grade() == grade && outcomes.contains(run.outcome()))
            .count();
  }

  private static int failed(FormSummary row) {
    return row.count(Outcome.FAILURES);
  }

  private static int applicable(FormSummary row) {
    return row.runs() - row.count(Outcome.NOT_APPLICABLE);
  }

  @Override
  public String toString() {
    return text;
  }
}
