package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignFolders;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.LanesReport;
import dev.hiplab.report.bundle.BundleWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Packs what a person named into an archive, and says what it gives away. */
final class Bundling {
  private Bundling() {}

  static int write(Opened source, Path archive, boolean replace) throws IOException {
    List<Path> campaigns = source.campaigns();
    if (campaigns.isEmpty()) {
      throw new HiplabException(
          source.typed()
              + " holds no campaign: there is no runs.jsonl; give a folder that reproduce wrote");
    }
    Map<String, Path> named = new LinkedHashMap<>();
    for (Path campaign : campaigns) {
      Path folder = CampaignFolders.folder(campaign);
      String name = name(source, folder);
      String own = name;
      for (int i = 2; named.containsKey(own); i++) {
        own = name + "-" + i;
      }
      named.put(own, folder);
    }
    CampaignRuns runs = CampaignRuns.read(source.typed().toString(), campaigns);
    List<String> machine = BundleWriter.write(archive, named, runs, replace);
    runs.campaigns().forEach(each -> LanesReport.tellLeftOut(each, System.err::println));
    System.out.println("wrote " + archive);
    System.out.println("It may tell of this machine, look before you give it away:");
    machine.forEach(line -> System.out.println("  " + line));
    return 0;
  }

  /** The folder's own name, or its path below what was named; only plain characters. */
  private static String name(Opened source, Path folder) {
    Path root = source.folder().toAbsolutePath().normalize();
    Path whole = folder.toAbsolutePath().normalize();
    boolean below = whole.startsWith(root) && !whole.equals(root);
    Path path = below ? root.relativize(whole) : whole.getFileName();
    List<String> parts = new ArrayList<>();
    if (path != null) {
      path.forEach(part -> parts.add(plain(part.toString())));
    }
    return parts.isEmpty() ? "campaign" : String.join("/", parts);
  }

  private static String plain(String part) {
    String plain = part.replaceAll("[^A-Za-z0-9._-]", "_");
    return plain.matches("\\.*") ? "campaign" : plain;
  }
}
