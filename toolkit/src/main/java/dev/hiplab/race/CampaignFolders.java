package dev.hiplab.race;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Finds campaigns that lie in the sub-folders of a folder, such as {@code hiplab-runs}. */
public final class CampaignFolders {
  /** {@code FOLDER/campaign}, and {@code FOLDER/time/campaign} as notebooks name them. */
  private static final int LEVELS = 2;

  /** Sub-folder of a campaign with the sources of the caller's own scenarios. */
  public static final String SOURCES = CampaignFolder.SOURCES;

  /** Sub-folder of a campaign with the timelines of its runs. */
  public static final String TRACES = Traces.FOLDER;

  private CampaignFolders() {}

  /**
   * The folder alone when it holds a campaign itself (or is its {@code runs.jsonl}), else those of
   * its sub-folders that hold runs, by name; empty when none does. What may not be read is passed
   * over.
   */
  public static List<Path> under(Path folder) throws IOException {
    if (Files.isRegularFile(folder) || Files.isRegularFile(folder.resolve(RunLog.FILE))) {
      return List.of(folder);
    }
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        Set.of(FileVisitOption.FOLLOW_LINKS),
        LEVELS + 1,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.endsWith(RunLog.FILE) && attributes.isRegularFile() && attributes.size() > 0) {
              found.add(file.getParent());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException notReadable) {
            return FileVisitResult.CONTINUE;
          }
        });
    Collections.sort(found);
    return List.copyOf(found);
  }

  /** The folder of a campaign that is given by its folder or by the log in it. */
  public static Path folder(Path campaign) {
    return Files.isDirectory(campaign) ? campaign : campaign.resolveSibling("");
  }
}
