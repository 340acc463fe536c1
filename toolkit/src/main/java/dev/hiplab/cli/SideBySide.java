package dev.hiplab.cli;

import dev.hiplab.HiplabException;
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
   * Each source's campaigns as one side.
   *
   * @throws HiplabException when one holds no runs, or two hold the same campaign
   */
  static Sides read(List<Opened> sources) throws IOException {
    Map<Path, Opened> owners = new HashMap<>();
    List<CampaignRuns> sides = new ArrayList<>();
    List<String> labels = labels(sources.stream().map(Opened::typed).toList());
    for (Opened source : sources) {
      List<Path> campaigns = campaigns(source);
      for (Path campaign : campaigns) {
        // Of a bundle the file, as its folder is another each time.
        Path itself = source.bundle() == null ? campaign.toRealPath() : source.typed().toRealPath();
        Opened owner = owners.putIfAbsent(itself, source);
        if (owner != null && owner != source) {
          throw new HiplabException(
              owner.typed()
                  + " and "
                  + source.typed()
                  + " both hold "
                  + itself
                  + "; name each side once, and folders that share no campaign");
        }
      }
      sides.add(CampaignRuns.read(labels.get(sides.size()), campaigns));
    }
    return Sides.of(sides);
  }

  private static List<Path> campaigns(Opened source) throws IOException {
    if (!Files.exists(source.folder())) {
      throw new HiplabException("there is no folder " + source.typed());
    }
    List<Path> campaigns = source.campaigns();
    if (campaigns.isEmpty()) {
      throw new HiplabException(
          source.typed()
              + " holds no campaign: there is no runs.jsonl; give a folder that reproduce wrote");
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
