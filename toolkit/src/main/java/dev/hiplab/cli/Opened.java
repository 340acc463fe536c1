package dev.hiplab.cli;

import dev.hiplab.race.CampaignFolders;
import dev.hiplab.report.bundle.Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A folder, a log or a bundle that a person named. A bundle is unpacked for as long as this is
 * open.
 *
 * @param typed what was named
 * @param folder where its campaigns are
 * @param bundle null when it is none
 */
record Opened(Path typed, Path folder, Bundle bundle) implements AutoCloseable {
  private static final String NAME = "report";

  static Opened of(Path typed) throws IOException {
    if (!Bundle.is(typed)) {
      return new Opened(typed, typed, null);
    }
    Bundle bundle = Bundle.open(typed);
    return new Opened(typed, bundle.folder(), bundle);
  }

  /** The campaigns in it; see {@link CampaignFolders#under}. */
  List<Path> campaigns() throws IOException {
    return CampaignFolders.under(folder);
  }

  /** Whether it is no folder of campaigns, but holds one itself. */
  boolean isOne(List<Path> campaigns) {
    boolean alone = bundle != null && campaigns.size() == 1;
    return alone || campaigns.isEmpty() || campaigns.equals(List.of(folder));
  }

  /** What a person calls a campaign in it. */
  Path name(Path campaign) {
    return bundle == null ? campaign : typed;
  }

  /** Where the report on a campaign goes unless said; {@code one}: see {@link #isOne}. */
  Path report(Path campaign, boolean one) {
    if (bundle != null) {
      Path beside = typed.resolveSibling(stem(typed) + "-" + NAME);
      return one ? beside : beside.resolve(folder.relativize(campaign));
    }
    return Files.isRegularFile(campaign) ? campaign.resolveSibling(NAME) : campaign.resolve(NAME);
  }

  /** A file's name without its ending. */
  static String stem(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  @Override
  public void close() throws IOException {
    if (bundle != null) {
      bundle.close();
    }
  }
}
