package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.findings.Scenarios;
import dev.hiplab.race.Arm;
import dev.hiplab.race.CampaignFolders;
import dev.hiplab.race.CampaignSettings;
import dev.hiplab.race.CommandSettings;
import dev.hiplab.race.Settings;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.TerminalText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A campaign that was made before, with all that running it again needs.
 *
 * @param name of its folder, below that of several
 * @param settings what was asked for
 * @param sources file name to text of its scenarios that came as source
 * @param jobs processes at a time
 */
record Kept(String name, Settings settings, Map<String, String> sources, int jobs) {
  private static final String OURS = "dev.hiplab.";

  static Kept read(Opened source, Path campaign) throws IOException {
    Path folder = CampaignFolders.folder(campaign);
    Settings settings;
    try {
      settings = Settings.in(folder);
    } catch (HiplabException none) {
      throw new HiplabException(
          source.name(campaign)
              + " cannot be run again: it has no campaign.json that says how (a lambda's runs, or a"
              + " log alone)",
          none);
    }
    CampaignRuns runs = CampaignRuns.read("", List.of(campaign));
    String jobs = runs.records().get(0).environment().getOrDefault("jobs", "1");
    Path below = source.folder().relativize(folder);
    return new Kept(
        below.toString(),
        settings,
        runs.sources(),
        jobs.matches("[1-9]\\d?") ? Integer.parseInt(jobs) : 1);
  }

  /** Names of its scenarios that are no part of this hiplab: files, and classes. */
  private List<String> foreign() {
    if (!(settings instanceof CampaignSettings campaign)) {
      return List.of();
    }
    List<String> ids = Scenarios.all().stream().map(scenario -> scenario.id()).toList();
    return campaign.scenarios().stream()
        .filter(name -> name.endsWith(".java") || !ids.contains(name) && !name.startsWith(OURS))
        .toList();
  }

  /** Whether running it runs what is not in this hiplab. */
  boolean isCode() {
    return settings instanceof CommandSettings || !foreign().isEmpty();
  }

  /** What it will run. */
  List<String> describe() {
    List<String> lines = new ArrayList<>();
    lines.add("again: " + settings.command() + (jobs > 1 ? " --jobs " + jobs : ""));
    if (settings instanceof CommandSettings command) {
      for (Arm arm : command.arms()) {
        lines.add("  runs in " + arm.folder() + " (" + arm.name() + "): " + command.text(arm));
        arm.environment().forEach((name, value) -> lines.add("    with " + name + "=" + value));
      }
    }
    for (String name : foreign()) {
      String file = name.substring(name.lastIndexOf('/') + 1);
      String text = new TreeMap<>(sources).get(file);
      lines.add(
          "  runs the source "
              + (text == null
                  ? name + ", of your class path"
                  : "source/" + file + ", " + text.lines().count() + " lines"));
    }
    lines.replaceAll(TerminalText::line);
    return lines;
  }
}
