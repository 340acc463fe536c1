package dev.hiplab.report;

import dev.hiplab.findings.Scenarios;
import dev.hiplab.race.FormCost;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A campaign as a comment that can be pasted into a review on GitHub as it is: where it ran, what
 * it comes to, a row for each form and way, what runs said where it matters, and the command.
 */
public final class ReviewComment {
  private final CampaignRuns runs;
  private final List<FormSummary> rows;
  private final StringBuilder text = new StringBuilder();

  private ReviewComment(CampaignRuns runs) {
    this.runs = runs;
    this.rows = FormSummary.of(runs.records());
  }

  /** The Markdown. */
  public static String of(CampaignRuns runs) {
    return new ReviewComment(runs).write();
  }

  private String write() {
    List<String> scenarios = runs.scenarios();
    text.append(MarkdownText.escape(Origin.of(runs.records()))).append("\n\n");
    if (scenarios.size() == 1) {
      claim(text, scenarios.get(0));
    }
    conclusion(text, runs.conclusion());
    table(scenarios.size() > 1);
    details(text, ReviewDetails.of(rows, scenarios.size() > 1));
    List<RunRecord> costs = runs.records().stream().filter(FormCost::made).toList();
    if (!costs.isEmpty()) {
      text.append('\n').append(Tables.markdown(FormCostTable.of(costs)));
    }
    text.append("\nRepeated by\n\n");
    boolean known = !runs.commands().isEmpty();
    text.append(
        MarkdownText.block(
            known ? String.join("\n", runs.commands()) : runs.records().get(0).command()));
    return text.toString();
  }

  /** What a scenario of the catalogue is about; nothing of any other but its name. */
  public static void claim(StringBuilder text, String id) {
    if (Scenarios.all().stream().noneMatch(scenario -> scenario.id().equals(id))) {
      text.append(MarkdownText.code(id)).append("\n\n");
    }
    Scenarios.all().stream()
        .filter(scenario -> scenario.id().equals(id))
        .forEach(
            scenario ->
                text.append(MarkdownText.code(id))
                    .append(" (")
                    .append(MarkdownText.escape(scenario.source()))
                    .append("): ")
                    .append(MarkdownText.escape(scenario.title()))
                    .append("\n\n> ")
                    .append(MarkdownText.escape(scenario.claim()))
                    .append("\n\n"));
  }

  /** A sentence, or a list of them. */
  static void conclusion(StringBuilder text, List<String> sentences) {
    for (String sentence : sentences) {
      text.append(sentences.size() > 1 ? "- " : "").append(MarkdownText.escape(sentence));
      text.append('\n');
    }
    text.append('\n');
  }

  static void details(StringBuilder text, List<String> lines) {
    text.append(lines.isEmpty() ? "" : "\n");
    lines.forEach(line -> text.append("- ").append(line).append('\n'));
  }

  private void table(boolean scenarios) {
    boolean profiles = rows.stream().map(FormSummary::profile).distinct().count() > 1;
    text.append(scenarios ? "| scenario " : "").append("| form | way |");
    text.append(profiles ? " profile |" : "").append(" runs | outcomes | grades |");
    text.append(" process ms | workload ms |\n");
    text.append(scenarios ? "|---" : "").append("|---|---|").append(profiles ? "---|" : "");
    text.append("---:|---|---|---:|---:|\n");
    for (FormSummary row : rows) {
      List<String> cells = new ArrayList<>();
      if (scenarios) {
        cells.add(MarkdownText.escape(row.scenario()));
      }
      cells.add(MarkdownText.escape(row.form()));
      cells.add(MarkdownText.escape(row.way()));
      if (profiles) {
        cells.add(MarkdownText.escape(row.profile().isEmpty() ? "-" : row.profile()));
      }
      cells.add(row.runs() + (row.runs() < runs.asked() ? " of " + runs.asked() : ""));
      boolean against = row.count(Grade.FORBIDDEN) > 0;
      String outcomes = MarkdownText.escape(row.outcomesInWords());
      cells.add(against ? "**" + outcomes + "**" : outcomes);
      cells.add(grades(row));
      cells.add(Labels.millis(row.median(RunRecord::wallMillis)));
      cells.add(Labels.millis(row.median(RunRecord::workMillis)));
      text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
  }

  private static String grades(FormSummary row) {
    return row.grades().entrySet().stream()
        .map(
            each -> {
              String word = each.getValue() + " " + each.getKey().name().toLowerCase(Locale.ROOT);
              return each.getKey() == Grade.FORBIDDEN ? "**" + word + "**" : word;
            })
        .collect(Collectors.joining(", "));
  }
}
