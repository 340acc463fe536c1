package dev.hiplab.report.sides;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.MarkdownText;
import dev.hiplab.report.Origin;
import dev.hiplab.report.ReviewComment;
import dev.hiplab.scenario.Grade;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sides as a comment for a review on GitHub. */
public final class SideComment {
  private SideComment() {}

  /** The Markdown. */
  public static String of(Sides sides) {
    StringBuilder text = new StringBuilder();
    for (CampaignRuns side : sides.runs()) {
      text.append("- **").append(MarkdownText.escape(side.name())).append("**: ");
      text.append(MarkdownText.escape(Origin.of(side.records()))).append('\n');
    }
    text.append('\n');
    if (sides.scenarios().size() == 1) {
      ReviewComment.claim(text, sides.scenarios().get(0));
    }
    List<String> conclusion = SideFacts.conclusion(sides);
    text.append(MarkdownText.escape(conclusion.get(0))).append("\n\n"); // or one list would be made
    list(text, conclusion.subList(1, conclusion.size()));
    table(text, sides);
    differences(text, sides);
    text.append('\n');
    list(text, SideFacts.cautions(sides));
    text.append("Repeated by\n\n");
    List<String> commands = new ArrayList<>();
    for (CampaignRuns side : sides.runs()) {
      boolean known = !side.commands().isEmpty();
      commands.add("# " + side.name());
      commands.addAll(known ? side.commands() : List.of(side.records().get(0).command()));
    }
    return text.append(MarkdownText.block(String.join("\n", commands))).toString();
  }

  private static void list(StringBuilder text, List<String> lines) {
    lines.forEach(line -> text.append("- ").append(MarkdownText.escape(line)).append('\n'));
    text.append(lines.isEmpty() ? "" : "\n");
  }

  private static void table(StringBuilder text, Sides sides) {
    boolean scenarios = sides.scenarios().size() > 1;
    List<String> head = new ArrayList<>(scenarios ? List.of("scenario") : List.of());
    head.addAll(List.of("form", "way"));
    sides.names().forEach(name -> head.add(MarkdownText.escape(name)));
    head.addAll(List.of("p", "process ms", "ratio"));
    row(text, head);
    text.append("|").append("---|".repeat(head.size() - 3)).append("---:|---:|---:|\n");
    for (SideRow each : sides.rows()) {
      List<String> cells = new ArrayList<>();
      if (scenarios) {
        cells.add(MarkdownText.escape(each.scenario()));
      }
      String profile = each.profile().isEmpty() ? "" : " on " + each.profile();
      cells.add(MarkdownText.escape(each.form() + profile));
      cells.add(MarkdownText.escape(each.way()));
      for (int side = 0; side < sides.count(); side++) {
        cells.add(outcomes(each, side));
      }
      cells.add(MarkdownText.escape(SideNumbers.p(each)));
      cells.add(SideNumbers.medians(each, RunRecord::wallMillis));
      cells.add(SideNumbers.ratios(each, RunRecord::wallMillis));
      row(text, cells);
    }
  }

  /** What differs between the sides is bold, as is what a source forbids. */
  private static String outcomes(SideRow row, int side) {
    FormSummary its = row.sides().get(side);
    if (its == null) {
      return "*no such run*";
    }
    String words = MarkdownText.escape(its.outcomesInWords());
    int forbidden = its.count(Grade.FORBIDDEN);
    return (row.differs() ? "**" + words + "**" : words)
        + (forbidden > 0 ? " **(" + forbidden + " forbidden)**" : "");
  }

  private static void differences(StringBuilder text, Sides sides) {
    Map<String, List<String>> different = SideFacts.different(sides);
    if (different.isEmpty()) {
      text.append("\nThe records tell of no other difference between the sides.\n");
      return;
    }
    List<String> head = new ArrayList<>(List.of("differs"));
    sides.names().forEach(name -> head.add(MarkdownText.escape(name)));
    text.append('\n');
    row(text, head);
    text.append("|").append("---|".repeat(head.size())).append('\n');
    different.forEach(
        (key, values) -> {
          List<String> cells = new ArrayList<>(List.of(MarkdownText.escape(key)));
          values.forEach(value -> cells.add(MarkdownText.escape(value)));
          row(text, cells);
        });
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
