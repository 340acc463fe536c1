package dev.hiplab.report.bundle;

import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignFolders;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.ReviewComment;
import dev.hiplab.report.html.CampaignPage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipOutputStream;

/** Writes campaigns and their report as one archive that another hiplab opens. */
public final class BundleWriter {
  private static final List<String> FILES = List.of("campaign.json", "runs.jsonl");
  private static final List<String> FOLDERS =
      List.of(CampaignFolders.SOURCES, CampaignFolders.TRACES);

  private BundleWriter() {}

  /**
   * Writes the archive. It is there whole or not at all: it is written beside and moved.
   *
   * @param archive file to write
   * @param campaigns folder of each, by the name that it gets in the archive
   * @param runs theirs
   * @param replace whether a file that is there goes
   * @return what the archive may tell of the machine
   * @throws HiplabException when the file is there and is to stay
   */
  public static List<String> write(
      Path archive, Map<String, Path> campaigns, CampaignRuns runs, boolean replace)
      throws IOException {
    if (Files.isDirectory(archive)) {
      throw new HiplabException(archive + " is a folder; name a file for the bundle");
    }
    if (!replace && Files.exists(archive, LinkOption.NOFOLLOW_LINKS)) {
      throw new HiplabException(archive + " is there already; name another file, or add --force");
    }
    Map<String, Path> files = new LinkedHashMap<>();
    for (Map.Entry<String, Path> campaign : campaigns.entrySet()) {
      find(campaign.getKey(), campaign.getValue(), files);
    }
    return pack(archive, files, runs, replace);
  }

  /** The same with the files named, which are read as they are. */
  static List<String> pack(
      Path archive, Map<String, Path> files, CampaignRuns runs, boolean replace) {
    try {
      List<String> machine = MachineWords.of(runs.records(), files);
      Path folder = archive.toAbsolutePath().getParent();
      Files.createDirectories(folder);
      String name = archive.getFileName().toString();
      BundlePart.sweep(folder, name);
      Path part = BundlePart.beside(folder, name);
      part.toFile().deleteOnExit(); // Ctrl-C
      try {
        fill(part, archive, files, runs, machine);
        move(part, archive, replace);
      } finally {
        Files.deleteIfExists(part);
      }
      return machine;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the bundle could not be written to " + archive + ": " + reason(e), e);
    }
  }

  private static void move(Path part, Path archive, boolean replace) throws IOException {
    if (replace) {
      Files.move(part, archive, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.move(part, archive);
    }
  }

  private static String reason(IOException e) {
    String message = Objects.toString(e.getMessage(), "");
    return message.isEmpty() ? e.getClass().getSimpleName() : message;
  }

  private static void fill(
      Path part, Path archive, Map<String, Path> files, CampaignRuns runs, List<String> machine)
      throws IOException {
    String hiplab = Objects.requireNonNullElse(version(), "development");
    String name = archive.getFileName().toString();
    try (OutputStream out =
            Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
      BundleEntries entries = new BundleEntries(zip);
      entries.add("README.md", BundleReadme.of(name, runs, hiplab, machine));
      entries.add("report.html", CampaignPage.of(runs));
      entries.add("summary.md", ReviewComment.of(runs));
      for (Map.Entry<String, Path> file : files.entrySet()) {
        try (InputStream in = Files.newInputStream(file.getValue())) {
          entries.add(file.getKey(), in);
        }
      }
      String made = Instant.now().toString();
      entries.addLast(
          new BundleManifest(hiplab, made, runs.commands(), machine, entries.written()));
    }
  }

  private static String version() {
    return BundleWriter.class.getPackage().getImplementationVersion();
  }

  /** What belongs to a campaign; links are not followed, and nothing else is looked at. */
  private static void find(String name, Path campaign, Map<String, Path> files) throws IOException {
    for (String file : FILES) {
      put(files, name + "/" + file, campaign.resolve(file));
    }
    for (String folder : FOLDERS) {
      Path root = campaign.resolve(folder);
      if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      List<Path> found = new ArrayList<>();
      try (Stream<Path> all = Files.walk(root)) {
        all.sorted().forEach(found::add);
      }
      for (Path file : found) {
        put(files, name + "/" + campaign.relativize(file), file);
      }
    }
  }

  private static void put(Map<String, Path> files, String name, Path file) {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && BundleNames.isPlain(name)) {
      files.put(name, file);
    }
  }
}
