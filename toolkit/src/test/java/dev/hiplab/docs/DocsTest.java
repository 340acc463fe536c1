package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.hiplab.findings.Scenarios;
import dev.hiplab.report.SourceLinks;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages and notebooks against the files and the catalogue that they speak of. */
class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path ISSUES = ROOT.resolve("docs/issues");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern ID = Pattern.compile("\"([a-z-]+\\.[a-z-]+)\"");

  @Test
  void everyRelativeLinkLeadsToAFileAndItsHeading() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Map.Entry<Path, String> page : pages().entrySet()) {
      Matcher link = LINK.matcher(page.getValue());
      while (link.find()) {
        links++;
        if (!link.group(1).startsWith("https:") && !leads(page.getKey(), link.group(1))) {
          broken.add(ROOT.relativize(page.getKey()) + " -> " + link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(150);
  }

  @Test
  void everyScenarioStandsOnThePageOfItsSource() throws IOException {
    Map<Path, String> pages = pages();
    for (Scenario scenario : Scenarios.all()) {
      List<String> found =
          pages.entrySet().stream()
              .filter(page -> page.getKey().startsWith(ISSUES))
              .map(Map.Entry::getValue)
              .filter(text -> text.contains("\n### " + scenario.id() + "\n"))
              .toList();
      assertThat(found).as("pages in docs/issues with a section " + scenario.id()).hasSize(1);
      String section = section(found.get(0), scenario.id());
      assertThat(section)
          .as(scenario.id())
          .contains("/" + scenario.getClass().getSimpleName() + ".java), " + scenario.source())
          .contains("> " + scenario.claim() + "\n")
          .contains("Forms: " + forms(scenario) + ". Ways: " + ways(scenario) + ".")
          .contains("Needs: " + (scenario.needs().isEmpty() ? "any device" : scenario.needs()));
      SourceLinks.of(scenario.source())
          .forEach(
              link -> assertThat(found.get(0)).contains("[" + link.name() + "](" + link.url()));
    }
  }

  @Test
  void everyNotebookLinksTheSourcesOfItsScenariosAndIsLinkedFromTheirPage() throws IOException {
    Map<Path, String> pages = pages();
    for (Path notebook : notebooks()) {
      List<Scenario> scenarios = scenarios(cells(notebook, "code"));
      String markdown = cells(notebook, "markdown");
      assertThat(markdown).as(notebook.toString()).startsWith("# ").contains("https://github.com/");
      for (Scenario scenario : scenarios) {
        SourceLinks.of(scenario.source())
            .forEach(link -> assertThat(markdown).as(notebook.toString()).contains(link.url()));
      }
      String name = notebook.getFileName().toString();
      if (!name.startsWith("0")) { // the others are about no one finding
        assertThat(scenarios).as(name).isNotEmpty();
        for (Scenario scenario : scenarios) {
          String page =
              pages.entrySet().stream()
                  .filter(one -> one.getKey().startsWith(ISSUES))
                  .map(Map.Entry::getValue)
                  .filter(text -> text.contains("\n### " + scenario.id() + "\n"))
                  .findFirst()
                  .orElseThrow();
          assertThat(page).as(scenario.id()).contains("notebooks/" + name);
        }
      }
    }
  }

  private static List<Scenario> scenarios(String code) {
    List<Scenario> found = new ArrayList<>();
    Matcher ids = ID.matcher(code);
    while (ids.find()) {
      String id = ids.group(1);
      Scenarios.all().stream().filter(one -> one.id().equals(id)).forEach(found::add);
    }
    return found;
  }

  private static String section(String page, String id) {
    int begin = page.indexOf("\n### " + id + "\n");
    int end = page.indexOf("\n### ", begin + 1);
    return page.substring(begin, end < 0 ? page.length() : end);
  }

  private static String forms(Scenario scenario) {
    return scenario.forms().stream().map(Form::name).collect(Collectors.joining(", "));
  }

  private static String ways(Scenario scenario) {
    return scenario.interleavings().stream()
        .map(Interleaving::label)
        .collect(Collectors.joining(", "));
  }

  private static boolean leads(Path page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!target.startsWith(ROOT) || !Files.exists(target)) {
      return false;
    }
    return parts.length < 2
        || Files.readAllLines(target).stream()
            .filter(line -> line.startsWith("#"))
            .anyMatch(line -> anchor(line).equals(parts[1]));
  }

  /** As code hosts make them: lower case, blanks to hyphens, other signs dropped. */
  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ *", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9 _-]", "")
        .replace(' ', '-');
  }

  /** Markdown of the README, the pages of docs/ and the notebooks. */
  private static Map<Path, String> pages() throws IOException {
    Map<Path, String> pages = new LinkedHashMap<>();
    pages.put(ROOT.resolve("README.md"), Files.readString(ROOT.resolve("README.md")));
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".md")).toList()) {
        pages.put(file, Files.readString(file));
      }
    }
    for (Path notebook : notebooks()) {
      pages.put(notebook, cells(notebook, "markdown"));
    }
    return pages;
  }

  private static List<Path> notebooks() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("notebooks"))) {
      List<Path> found = files.filter(one -> one.toString().endsWith(".ipynb")).sorted().toList();
      assertThat(found).hasSizeGreaterThanOrEqualTo(9);
      return found;
    }
  }

  private static String cells(Path notebook, String type) throws IOException {
    StringBuilder text = new StringBuilder();
    for (JsonElement cell :
        JsonParser.parseString(Files.readString(notebook))
            .getAsJsonObject()
            .getAsJsonArray("cells")) {
      if (cell.getAsJsonObject().get("cell_type").getAsString().equals(type)) {
        JsonElement source = cell.getAsJsonObject().get("source");
        if (source.isJsonArray()) {
          source.getAsJsonArray().forEach(line -> text.append(line.getAsString()));
        } else {
          text.append(source.getAsString());
        }
        text.append("\n\n");
      }
    }
    return text.toString();
  }
}
