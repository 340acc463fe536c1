package dev.hiplab.report;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What runs said that a reviewer should read: one line for each thing that was said. */
final class ReviewDetails {
  private static final int MOST = 16;
  private static final int FEW = 4;
  private static final int LONGEST = 300;

  /** What a run said, which several rows may share. */
  private record Said(int rank, String scenario, Outcome outcome, String detail) {}

  private ReviewDetails() {}

  /**
   * Lines of Markdown: what is against the sources first, in bold.
   *
   * @param terse only what is forbidden or interesting, of many scenarios
   */
  static List<String> of(List<FormSummary> rows, boolean terse) {
    Map<Said, List<String>> said = new LinkedHashMap<>();
    for (FormSummary row : rows) {
      Said first = first(row, terse);
      if (first != null) {
        said.computeIfAbsent(first, s -> new ArrayList<>()).add(label(row, rows, first));
      }
    }
    List<String> lines = new ArrayList<>();
    said.entrySet().stream()
        .sorted((a, b) -> Integer.compare(a.getKey().rank(), b.getKey().rank()))
        .forEach(each -> lines.add(line(each.getKey(), joined(each.getValue()))));
    if (lines.size() <= MOST) {
      return lines;
    }
    // Nothing that is forbidden is left out.
    long forbidden = said.keySet().stream().filter(one -> one.rank() == 0).count();
    int shown = (int) Math.max(MOST, forbidden);
    List<String> some = new ArrayList<>(lines.subList(0, shown));
    some.add((lines.size() - shown) + " more in `report.html`");
    return some;
  }

  private static String joined(List<String> labels) {
    return labels.size() <= FEW
        ? String.join(", ", labels)
        : String.join(", ", labels.subList(0, FEW))
            + " and "
            + (labels.size() - FEW)
            + " more rows";
  }

  private static Said first(FormSummary row, boolean terse) {
    List<Predicate<RunRecord>> matters = new ArrayList<>();
    matters.add(run -> run.grade() == Grade.FORBIDDEN);
    if (!terse) {
      matters.add(run -> Outcome.FAILURES.contains(run.outcome()));
    }
    matters.add(run -> run.grade() == Grade.INTERESTING && !run.detail().isEmpty());
    if (!terse) {
      matters.add(run -> run.outcome() == Outcome.EXCLUDED);
    }
    for (int rank = 0; rank < matters.size(); rank++) {
      for (RunRecord run : row.records()) {
        if (matters.get(rank).test(run)) {
          return new Said(rank, run.scenario(), run.outcome(), run.detail());
        }
      }
    }
    return null;
  }

  private static String label(FormSummary row, List<FormSummary> all, Said said) {
    long runs =
        row.records().stream()
            .filter(run -> run.outcome() == said.outcome())
            .filter(run -> said.rank() > 0 || run.grade() == Grade.FORBIDDEN)
            .count();
    String of =
        runs == row.runs() ? " (all " + runs + ")" : " (" + runs + " of " + row.runs() + ")";
    return MarkdownText.escape(Labels.of(row, all)) + of;
  }

  private static String line(Said said, String labels) {
    String outcome = MarkdownText.escape(said.outcome().toString());
    String detail = said.detail().isBlank() ? "no detail" : MarkdownText.code(cut(said.detail()));
    return said.rank() == 0
        ? "**FORBIDDEN: " + labels + " " + outcome + "**: " + detail
        : labels + " " + outcome + ": " + detail;
  }

  private static String cut(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 2)) ? LONGEST - 2 : LONGEST - 1;
    return text.substring(0, end) + "…";
  }
}
