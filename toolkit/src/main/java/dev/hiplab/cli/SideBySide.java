package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignFolders;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.sides.Sides;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the folders that a person wants to see beside each other. */
final class SideBySide {
  private SideBySide() {}

  /**
   * Each folder's campaigns as one side.
   *
   * @param names what was typed, of which the sides get their names
   * @param folders where it is
   * @throws HiplabException when one holds no runs, or two hold the same campaign
   */
  static Sides read(List<Path> names, List<Path> folders) throws IOException {
    Map<Path, Path> owners = new HashMap<>();
    List<List<Path>> all = new ArrayList<>();
    for (int i = 0; i < folders.size(); i++) {
      List<Path> campaigns = campaigns(names.get(i), folders.get(i));
      for (Path campaign : campaigns) {
        Path owner = owners.putIfAbsent(campaign.toRealPath(), names.get(i));
        if (owner != null) {
          throw new HiplabException(
              owner.equals(names.get(i)) || campaigns.size() == 1 && folders.get(i).equals(campaign)
                  ? names.get(i) + " is given twice; name each side once"
                  : owner
                      + " and "
                      + names.get(i)
                      + " both hold "
                      + campaign
                      + "; name folders that share no campaign");
        }
      }
      all.add(campaigns);
    }
    List<String> labels = labels(names);
    List<CampaignRuns> sides = new ArrayList<>();
    for (int i = 0; i < folders.size(); i++) {
      sides.add(CampaignRuns.read(labels.get(i), all.get(i)));
    }
    return Sides.of(sides);
  }

  private static List<Path> campaigns(Path name, Path folder) throws IOException {
    if (!Files.exists(folder)) {
      throw new HiplabException("there is no folder " + name);
    }
    List<Path> campaigns = CampaignFolders.under(folder);
    if (campaigns.isEmpty()) {
      throw new HiplabException(
          name + " holds no campaign: there is no runs.jsonl; give a folder that reproduce wrote");
    }
    return campaigns;
  }

  /** The last part of each path, and as many before it as tell them apart. */
  static List<String> labels(List<Path> paths) {
    List<Path> whole = paths.stream().map(path -> path.toAbsolutePath().normalize()).toList();
    int longest = whole.stream().mapToInt(Path::getNameCount).max().orElse(1);
    for (int parts = 1; parts <= longest; parts++) {
      List<String> labels = new ArrayList<>();
      for (Path path : whole) {
        int names = path.getNameCount();
        labels.add(names == 0 ? "/" : path.subpath(Math.max(0, names - parts), names).toString());
      }
      if (labels.stream().distinct().count() == labels.size()) {
        return labels;
      }
    }
    return whole.stream().map(Path::toString).toList();
  }
}
