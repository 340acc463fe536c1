package dev.hiplab.report;

import dev.hiplab.findings.Scenarios;
import dev.hiplab.race.FormCost;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A page of Markdown on what campaigns showed of each finding: the claim, a table of forms and
 * ways, and beside it what each row says. Every figure is counted from the runs that it is given.
 */
public final class FindingsPage {
  private FindingsPage() {}

  /**
   * The page.
   *
   * @param commands how the campaigns were made, each a line
   * @param records of all of them; those of {@code bench forms} become a table of their own
   */
  public static String of(List<String> commands, List<RunRecord> records) {
    Records.some(records);
    StringBuilder page = new StringBuilder("# What runs showed of each finding\n\n");
    page.append(
        "Written by `java -jar toolkit.jar report FOLDER --findings FILE` from the runs of\n\n");
    page.append("```sh\n");
    commands.forEach(command -> page.append(command).append('\n'));
    page.append("```\n\n");
    for (String where : places(records)) {
      page.append("- ").append(where).append('\n');
    }
    page.append(
        "\nA row is one form in one way: fresh processes and how they ended. *ms* is the median of a\n"
            + "process from its start to its end, and of it the workload. `docs/own-scenarios.md` and"
            + " the\nREADME say what the words mean. The software device models rules; it is no proof"
            + " about a GPU.\n");
    List<FormSummary> all = FormSummary.of(records);
    for (Scenario scenario : Scenarios.all()) {
      List<FormSummary> rows =
          all.stream()
              .filter(row -> row.scenario().equals(scenario.id()))
              .sorted(inOrderOf(scenario))
              .toList();
      if (!rows.isEmpty()) {
        section(page, scenario, rows);
      }
    }
    costs(page, records.stream().filter(FormCost::made).toList());
    return page.toString();
  }

  /** Why the forms that are right and do not ship were rejected. */
  private static void costs(StringBuilder page, List<RunRecord> runs) {
    if (runs.isEmpty()) {
      return;
    }
    page.append("\n## What right forms cost\n\n");
    page.append(
        """
        By `java -jar toolkit.jar bench forms`: medians over fresh processes whose forms took turns. A
        form that serializes on the GPU has an overlap of about 1, as its eight streams are no faster
        than one; a form that serializes on the host, or allocates in each call, has a long enqueue.

        """);
    page.append(Tables.markdown(FormCostTable.of(runs)));
  }

  /** As the scenario lists its ways and forms, whichever process ended first. */
  private static Comparator<FormSummary> inOrderOf(Scenario scenario) {
    List<String> ways = scenario.interleavings().stream().map(Interleaving::label).toList();
    List<String> forms = scenario.forms().stream().map(Form::name).toList();
    return Comparator.comparing(FormSummary::profile)
        .thenComparing(row -> ways.indexOf(row.way()))
        .thenComparing(row -> forms.indexOf(row.form()));
  }

  private static Set<String> places(List<RunRecord> records) {
    Set<String> places = new LinkedHashSet<>();
    for (RunRecord run : records) {
      places.add(
          run.environment().getOrDefault("detail", run.environment().getOrDefault("driver", "?"))
              + "; hiplab "
              + run.environment().getOrDefault("version.hiplab", "?")
              + ", Java "
              + run.environment().getOrDefault("version.java", "?")
              + ", "
              + run.environment().getOrDefault("os", "?")
              + (run.environment().containsKey("jobs")
                  ? "; " + run.environment().get("jobs") + " processes at a time"
                  : ""));
    }
    return places;
  }

  private static void section(StringBuilder page, Scenario scenario, List<FormSummary> rows) {
    page.append("\n## ").append(scenario.id()).append("\n\n");
    page.append(scenario.source()).append(": ").append(scenario.title()).append(".\n\n");
    page.append("> ").append(scenario.claim()).append("\n\n");
    page.append("| profile | form | way | runs | outcomes | ms | workload ms | what it says |\n");
    page.append("|---|---|---|---:|---|---:|---:|---|\n");
    for (FormSummary row : rows) {
      page.append("| ")
          .append(row.profile().isEmpty() ? "-" : row.profile())
          .append(" | ")
          .append(row.form())
          .append(" | ")
          .append(row.way())
          .append(" | ")
          .append(row.runs())
          .append(" | ")
          .append(row.outcomesInWords())
          .append(" | ")
          .append(millis(row.median(RunRecord::wallMillis)))
          .append(" | ")
          .append(millis(row.median(RunRecord::workMillis)))
          .append(" | ")
          .append(cell(FindingProse.of(row)))
          .append(" |\n");
    }
  }

  private static String millis(double value) {
    return Double.isNaN(value)
        ? ""
        : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
