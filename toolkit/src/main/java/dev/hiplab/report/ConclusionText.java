package dev.hiplab.report;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What runs come to, counted: a sentence for each scenario. */
final class ConclusionText {
  private ConclusionText() {}

  static List<String> of(List<RunRecord> records) {
    Map<String, Map<String, List<FormSummary>>> scenarios = new LinkedHashMap<>();
    for (FormSummary row : FormSummary.of(records)) {
      scenarios
          .computeIfAbsent(row.scenario(), s -> new LinkedHashMap<>())
          .computeIfAbsent(row.form(), f -> new ArrayList<>())
          .add(row);
    }
    List<String> sentences = new ArrayList<>();
    scenarios.forEach(
        (scenario, forms) -> {
          List<String> parts = new ArrayList<>();
          forms.forEach((form, rows) -> parts.add(form + " " + said(rows)));
          sentences.add(scenario + ": " + String.join("; ", parts) + ".");
        });
    return sentences;
  }

  private static String said(List<FormSummary> rows) {
    List<RunRecord> runs = rows.stream().flatMap(row -> row.records().stream()).toList();
    long failed = runs.stream().filter(run -> Outcome.FAILURES.contains(run.outcome())).count();
    long forbidden = runs.stream().filter(run -> run.grade() == Grade.FORBIDDEN).count();
    return "failed in "
        + failed
        + " of "
        + Labels.runs(runs.size())
        + (forbidden > 0 ? " (" + forbidden + " against the source)" : "");
  }
}
