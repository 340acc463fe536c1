package dev.hiplab.report;

import dev.hiplab.findings.Scenarios;
import dev.hiplab.race.FormCost;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A page of Markdown on what campaigns showed of each finding: the claim, a table of forms and
 * ways, and beside it what each row says. Every figure is counted from the runs that it is given.
 */
public final class FindingsPage {
  private static final int FEW = 4;

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
    places(records)
        .forEach((where, ids) -> page.append("- ").append(where).append(askedBy(ids)).append('\n'));
    page.append(
        "\nA row is one form in one way: fresh processes and how they ended. *ms* is the median of a\n"
            + "process from its start to its end, and of it the workload. `docs/outcomes.md` says what"
            + " the\nwords mean. The software device models rules; it is no proof"
            + " about a GPU.\n");
    List<RunRecord> runs = records.stream().filter(run -> !FormCost.made(run)).toList();
    List<FormSummary> all = FormSummary.of(runs);
    for (Scenario scenario : Scenarios.all()) {
      section(page, scenario, rows(scenario.id(), all));
    }
    Set<String> known = Scenarios.all().stream().map(Scenario::id).collect(Collectors.toSet());
    all.stream()
        .map(FormSummary::scenario)
        .filter(id -> !known.contains(id))
        .distinct()
        .forEach(id -> section(page, id, rows(id, all)));
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

  private static List<FormSummary> rows(String id, List<FormSummary> all) {
    return all.stream().filter(row -> row.scenario().equals(id)).toList();
  }

  /** As the scenario lists its ways and forms, whichever process ended first. */
  private static Comparator<FormSummary> inOrderOf(Scenario scenario) {
    List<String> ways = scenario.interleavings().stream().map(Interleaving::label).toList();
    List<String> forms = scenario.forms().stream().map(Form::name).toList();
    return Comparator.comparing(FormSummary::profile)
        .thenComparing(row -> ways.indexOf(row.way()))
        .thenComparing(row -> forms.indexOf(row.form()));
  }

  /** Where runs were made, to the scenarios that ran there. */
  private static Map<String, Set<String>> places(List<RunRecord> records) {
    Map<String, Set<String>> places = new LinkedHashMap<>();
    for (RunRecord run : records) {
      places
          .computeIfAbsent(place(run.environment()), p -> new LinkedHashSet<>())
          .add(run.scenario());
    }
    return places;
  }

  private static String place(Map<String, String> environment) {
    String command = environment.getOrDefault("command", environment.getOrDefault("driver", "?"));
    String java = environment.get("version.java"); // of a command nobody knows one
    String jobs = environment.get("jobs");
    return environment.getOrDefault("detail", command)
        + "; hiplab "
        + environment.getOrDefault("version.hiplab", "?")
        + (java == null ? "" : ", Java " + java)
        + ", "
        + environment.getOrDefault("os", "?")
        + (jobs == null ? "" : "; " + jobs + " processes at a time");
  }

  /** A place of a few scenarios is one that they asked for. */
  private static String askedBy(Set<String> ids) {
    return ids.size() > FEW ? "" : " (" + String.join(", ", ids) + ")";
  }

  private static void section(StringBuilder page, Scenario scenario, List<FormSummary> rows) {
    if (rows.isEmpty()) {
      return;
    }
    page.append("\n## ").append(scenario.id()).append("\n\n");
    page.append(scenario.source()).append(": ").append(scenario.title()).append(".\n\n");
    page.append("> ").append(scenario.claim()).append("\n\n");
    table(page, rows.stream().sorted(inOrderOf(scenario)).toList());
  }

  /** Of a scenario of the user's own, or a command: what it claims is not in its runs. */
  private static void section(StringBuilder page, String id, List<FormSummary> rows) {
    page.append("\n## ").append(id).append("\n\n");
    table(page, rows);
  }

  private static void table(StringBuilder page, List<FormSummary> rows) {
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
          .append(Labels.millis(row.median(RunRecord::wallMillis)))
          .append(" | ")
          .append(Labels.millis(row.median(RunRecord::workMillis)))
          .append(" | ")
          .append(cell(FindingProse.of(row)))
          .append(" |\n");
    }
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
