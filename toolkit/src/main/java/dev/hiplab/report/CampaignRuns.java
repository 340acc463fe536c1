package dev.hiplab.report;

import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignFolders;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.CampaignSettings;
import dev.hiplab.race.CommandSettings;
import dev.hiplab.race.RunLog;
import dev.hiplab.race.RunRecord;
import dev.hiplab.race.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a report is about: the runs of a campaign, or of several that count as one, and how they
 * were made.
 *
 * @param name what the reader calls it, such as the folder's name
 * @param records at least one
 * @param commands that repeat the campaigns; of runs without a {@code campaign.json} none is known
 * @param sources file name to text of the scenarios that came as source
 * @param asked runs of each form and way that were asked for; 0 when that is not known
 * @param campaigns their folders with the runs in each, where timelines lie; empty when not known
 */
public record CampaignRuns(
    String name,
    List<RunRecord> records,
    List<String> commands,
    Map<String, String> sources,
    int asked,
    List<CampaignResult> campaigns) {
  public CampaignRuns {
    records = List.copyOf(Records.some(records));
    commands = List.copyOf(commands);
    sources = Map.copyOf(sources);
    campaigns = List.copyOf(campaigns);
  }

  /** Runs of which nothing else is known. */
  public static CampaignRuns of(List<RunRecord> records) {
    return new CampaignRuns("", records, List.of(), Map.of(), 0, List.of());
  }

  /**
   * Reads campaigns; a copy of one adds nothing.
   *
   * @param name see above
   * @param campaigns their folders, or the {@code runs.jsonl} of one
   * @throws HiplabException when there are no runs
   */
  public static CampaignRuns read(String name, List<Path> campaigns) throws IOException {
    Set<RunRecord> records = new LinkedHashSet<>();
    Set<String> commands = new LinkedHashSet<>();
    Map<String, String> sources = new TreeMap<>();
    List<CampaignResult> results = new ArrayList<>();
    int asked = 0;
    for (Path campaign : campaigns) {
      List<RunRecord> its = RunLog.read(campaign);
      Path folder = CampaignFolders.folder(campaign);
      records.addAll(its);
      results.add(new CampaignResult(its, folder, its.size()));
      Settings settings = settings(folder);
      if (settings != null) {
        String jobs = its.isEmpty() ? null : its.get(0).environment().get("jobs");
        commands.add(settings.command() + (jobs == null ? "" : " --jobs " + jobs));
        asked = campaigns.size() == 1 ? asked(settings) : 0;
      }
      readSources(folder.resolve(CampaignFolders.SOURCES), sources);
    }
    if (records.isEmpty()) {
      throw new HiplabException(
          "the campaign in " + campaigns.get(0) + " has no runs yet; resume it first");
    }
    return new CampaignRuns(
        name, List.copyOf(records), List.copyOf(commands), sources, asked, results);
  }

  private static Settings settings(Path folder) {
    try {
      return Settings.in(folder);
    } catch (HiplabException none) {
      return null; // a notebook's lambda has none, nor has a log that was copied alone
    }
  }

  private static int asked(Settings settings) {
    return settings instanceof CampaignSettings campaign
        ? campaign.runs()
        : ((CommandSettings) settings).runs();
  }

  private static void readSources(Path folder, Map<String, String> sources) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(folder)) {
      all.filter(Files::isRegularFile).sorted().forEach(files::add);
    }
    for (Path file : files) {
      sources.put(file.getFileName().toString(), Files.readString(file));
    }
  }

  /** What the runs come to, in sentences. */
  public List<String> conclusion() {
    return Conclusion.of(records).stream().map(Conclusion::text).toList();
  }

  /** The scenarios (or commands), in the order in which they first ran. */
  public List<String> scenarios() {
    return records.stream().map(RunRecord::scenario).distinct().toList();
  }
}
