package dev.hiplab.report.bundle;

import dev.hiplab.race.Arm;
import dev.hiplab.race.CommandSettings;
import dev.hiplab.race.RunRecord;
import dev.hiplab.race.Settings;
import dev.hiplab.report.TerminalText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Looks for what a bundle tells of the machine that made it. Files and records are not altered:
 * whoever gives a bundle away decides on it as it is.
 */
final class MachineWords {
  private static final String SETTINGS = "/campaign.json";
  private static final String VARIABLE = "env."; // in the environment of a command's record

  private final MachineTexts texts = new MachineTexts();
  private final Map<String, Set<String>> variables = new TreeMap<>(); // by arm
  private final Map<String, String> commands = new TreeMap<>(); // by arm

  private MachineWords() {}

  /**
   * A sentence for each part that tells something.
   *
   * @param files by the name in the bundle; records are not read again
   */
  static List<String> of(List<RunRecord> records, Map<String, Path> files) throws IOException {
    MachineWords words = new MachineWords();
    records.forEach(words::look);
    for (Map.Entry<String, Path> file : files.entrySet()) {
      if (!file.getKey().endsWith("/runs.jsonl")) {
        words.look(file.getKey(), file.getValue());
      }
    }
    List<String> sentences = new ArrayList<>();
    words.variables.forEach(
        (arm, names) ->
            sentences.add(
                "holds the variables "
                    + String.join(", ", names)
                    + " of arm "
                    + arm
                    + ", with their values"));
    words.commands.forEach(
        (arm, text) ->
            sentences.add(
                "holds the command of arm "
                    + arm
                    + " as it was typed: "
                    + MachineTexts.shown(text)));
    sentences.add("environment: device, driver, operating system and versions");
    sentences.addAll(words.texts.sentences());
    sentences.replaceAll(TerminalText::line);
    return sentences;
  }

  private void look(RunRecord run) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("command", run.command());
    fields.put("detail", run.detail());
    run.environment().forEach((key, value) -> fields.put("environment " + key, value));
    fields.put("frame", run.frame());
    fields.put("last points", String.join("\n", all(run.lastPoints())));
    fields.put("orders", String.join("\n", run.orders()));
    fields.put("schedule", run.schedule());
    new TreeMap<>(fields).forEach((field, text) -> texts.look(field, "records", List.of(text)));
    for (String key : run.environment().keySet()) {
      if (key.startsWith(VARIABLE)) {
        variable(run.form(), key.substring(VARIABLE.length()));
      }
    }
  }

  private static List<String> all(Map<String, List<String>> points) {
    return points.values().stream().flatMap(Collection::stream).toList();
  }

  private void variable(String arm, String name) {
    variables.computeIfAbsent(arm, key -> new TreeSet<>()).add(name);
  }

  private void look(String name, Path file) throws IOException {
    if (name.endsWith(SETTINGS)) {
      arms(file);
    }
    String part = name.contains("/source/") ? "source" : "traces";
    boolean json = name.endsWith(".json") || name.endsWith(".jsonl");
    List<String> lines = new ArrayList<>();
    // This reader replaces what is no text: a torn trace is packed like any other file.
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      in.lines().forEach(line -> lines.add(json ? MachineTexts.plain(line) : line));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    texts.look(name.endsWith(SETTINGS) ? "campaign.json" : part, "files", lines);
  }

  /** Also of arms that have no record yet. */
  private void arms(Path file) {
    try {
      if (Settings.in(file.toAbsolutePath().getParent()) instanceof CommandSettings settings) {
        for (Arm arm : settings.arms()) {
          arm.environment().keySet().forEach(key -> variable(arm.name(), key));
          commands.put(arm.name(), settings.text(arm));
        }
      }
    } catch (RuntimeException e) {
      // Not what a campaign wrote; its text is looked at all the same.
    }
  }
}
