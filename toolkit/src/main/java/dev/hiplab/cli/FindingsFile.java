package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.FindingsPage;
import dev.hiplab.report.WellFormed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The page of findings as a file. */
final class FindingsFile {
  private FindingsFile() {}

  static int write(Opened source, List<Path> campaigns, Path file) throws IOException {
    if (campaigns.isEmpty()) {
      throw new HiplabException(
          source.typed() + " holds no runs; give a folder that reproduce wrote");
    }
    CampaignRuns runs = CampaignRuns.read(source.typed().toString(), campaigns);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, WellFormed.of(FindingsPage.of(runs.commands(), runs.records())));
    System.out.println("wrote " + file);
    return 0;
  }
}
