package dev.hiplab.report.html;

import static java.util.stream.Collectors.joining;

import dev.hiplab.findings.Scenarios;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.SourceLinks;
import dev.hiplab.scenario.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a scenario is about, before its figures. */
public final class ScenarioIntro {
  private ScenarioIntro() {}

  /** The scenario of the catalogue with that id; none for a caller's own and for commands. */
  public static Optional<Scenario> known(String id) {
    return Scenarios.all().stream().filter(scenario -> scenario.id().equals(id)).findFirst();
  }

  /**
   * Claim, source and needs; of a command its arms; of a caller's own scenario its text.
   *
   * @param runs its own
   * @param sources file name to text
   */
  public static String of(String id, List<RunRecord> runs, Map<String, String> sources) {
    StringBuilder html = new StringBuilder();
    known(id)
        .ifPresent(
            scenario -> {
              html.append(Html.element("blockquote", scenario.claim())).append('\n');
              String needs = scenario.needs();
              html.append("<dl>").append(Html.element("dt", "source"));
              html.append("<dd>").append(source(scenario)).append("</dd>");
              html.append(Html.element("dt", "needs"));
              html.append(Html.element("dd", needs.isEmpty() ? "any device" : needs));
              html.append("</dl>\n");
            });
    if (runs.get(0).environment().containsKey("command")) {
      html.append(arms(runs));
    }
    sources.forEach(
        (file, text) ->
            html.append(Html.details("its source, " + file, Html.element("pre", text))));
    return html.toString();
  }

  private static String source(Scenario scenario) {
    List<SourceLinks.Link> links = SourceLinks.of(scenario.source());
    return links.isEmpty()
        ? Html.text(scenario.source())
        : links.stream()
            .map(
                link ->
                    "<a href=\"" + Html.text(link.url()) + "\">" + Html.text(link.name()) + "</a>")
            .collect(joining(", "));
  }

  private static String arms(List<RunRecord> runs) {
    Map<String, Map<String, String>> arms = new LinkedHashMap<>();
    runs.forEach(run -> arms.putIfAbsent(run.form(), run.environment()));
    HtmlTable table = new HtmlTable("arms of the command");
    table.column("arm", HtmlTable.Kind.TEXT).column("command", HtmlTable.Kind.LONG);
    table.column("folder", HtmlTable.Kind.TEXT).column("variables", HtmlTable.Kind.TEXT);
    table.column("commit", HtmlTable.Kind.TEXT);
    arms.forEach(
        (arm, told) ->
            table.row(
                List.of(
                    Html.text(arm),
                    Html.code(told.get("command")),
                    Html.code(told.getOrDefault("folder", "")),
                    variables(told),
                    commit(told))));
    return table.html();
  }

  private static String variables(Map<String, String> told) {
    String prefix = "env.";
    return new TreeMap<>(told)
        .entrySet().stream()
            .filter(each -> each.getKey().startsWith(prefix))
            .map(
                each -> Html.code(each.getKey().substring(prefix.length()) + "=" + each.getValue()))
            .collect(joining(" "));
  }

  private static String commit(Map<String, String> told) {
    String commit = told.getOrDefault("commit", "");
    boolean dirty = "true".equals(told.get("dirty"));
    return commit.isEmpty()
        ? "not known"
        : Html.code(commit.substring(0, Math.min(12, commit.length())))
            + (dirty ? " and changes" : "");
  }
}
