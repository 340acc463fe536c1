package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.findings.Scenarios;
import dev.hiplab.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The scenarios of a campaign, by the names under which it can be asked for again: ids, class
 * names, and .java files.
 *
 * @param byName in the order in which they run
 * @param sources file name to text of those that came as source
 * @param classPath where fresh JVMs find the classes that are not this project's
 */
record Chosen(Map<String, Scenario> byName, Map<String, String> sources, Set<Path> classPath) {
  /** Reads what a person named; asking for one twice is asking once. */
  static Chosen named(List<String> names) {
    return read(names, name -> ScenarioSource.read(Path.of(name)), name -> name);
  }

  /**
   * The same, where the .java files are not read but given, under the names of the files that the
   * campaign writes them to.
   *
   * @param texts file name to text
   */
  static Chosen kept(List<String> names, Map<String, String> texts, Path out) {
    return read(names, name -> source(name, texts), name -> keptName(name, out));
  }

  private static ScenarioSource source(String name, Map<String, String> texts) {
    String file = fileName(name);
    String text = texts.get(file);
    if (text == null) {
      throw new HiplabException(
          "the campaign ran " + name + ", but its folder source has no " + file);
    }
    return ScenarioSource.of(text);
  }

  private static String fileName(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private static String keptName(String name, Path out) {
    return out.resolve(CampaignFolder.SOURCES).resolve(fileName(name)).toString();
  }

  private static Chosen read(
      List<String> names, Function<String, ScenarioSource> reader, UnaryOperator<String> as) {
    Map<String, Scenario> byName = new LinkedHashMap<>();
    Map<String, String> sources = new LinkedHashMap<>();
    Set<Path> classPath = new LinkedHashSet<>();
    for (String name : names) {
      if (name.endsWith(".java")) {
        ScenarioSource source = reader.apply(name);
        byName.put(as.apply(name), compiled(source, classPath));
        sources.put(source.fileName(), source.text());
        continue;
      }
      for (Scenario scenario : Scenarios.named(name)) {
        boolean known = Scenarios.all().contains(scenario);
        byName.put(known ? scenario.id() : scenario.getClass().getName(), scenario);
        classPath.add(ChildFiles.home(scenario.getClass()));
      }
    }
    return new Chosen(byName, sources, classPath);
  }

  /** One that came as text, under the name of the file that the campaign writes it to. */
  static Chosen text(String text, Path out) {
    ScenarioSource source = ScenarioSource.of(text);
    Set<Path> classPath = new LinkedHashSet<>();
    Scenario scenario = compiled(source, classPath);
    String name = out.resolve(CampaignFolder.SOURCES).resolve(source.fileName()).toString();
    return new Chosen(Map.of(name, scenario), Map.of(source.fileName(), source.text()), classPath);
  }

  private static Scenario compiled(ScenarioSource source, Set<Path> classPath) {
    try {
      Path classes = Files.createTempDirectory("hiplab-scenario-"); // mode 0700
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(classes), "hiplab-classes"));
      classPath.add(classes);
      return source.compile(classes);
    } catch (IOException e) {
      throw new HiplabException(
          "no temporary folder for the classes of " + source.className() + ": " + e.getMessage(),
          e);
    }
  }

  private static void remove(Path folder) {
    try {
      Child.delete(folder);
    } catch (IOException leftBehind) {
      // In the temporary folder, and nobody is left to tell.
    }
  }

  /** The names, in order. */
  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** The scenarios, in order. */
  List<Scenario> scenarios() {
    return new ArrayList<>(byName.values());
  }
}
