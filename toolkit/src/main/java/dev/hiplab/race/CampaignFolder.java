package dev.hiplab.race;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The folder that a campaign writes, held by one process at a time. */
final class CampaignFolder implements AutoCloseable {
  static final String FILE = "campaign.json";

  /** Sub-folder with the sources of the caller's own scenarios. */
  static final String SOURCES = "source";

  private final Path path;
  private final String id;
  private final List<RunRecord> done;
  private final RunLog log;

  private CampaignFolder(Path path, String id, List<RunRecord> done, RunLog log) {
    this.path = path;
    this.id = id;
    this.done = done;
    this.log = log;
  }

  /** A name that sorts by time and is not used twice. */
  static String newId() {
    String time =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
            .withZone(ZoneId.systemDefault())
            .format(Instant.now());
    return time + "-" + Integer.toHexString(0x1000 + ThreadLocalRandom.current().nextInt(0xf000));
  }

  /**
   * Makes the folder, or takes up the campaign in it.
   *
   * @param resume whether a campaign that is there is to be finished
   * @throws HiplabException when there is one and it is not to be finished, or is another
   */
  static CampaignFolder open(Path path, Settings settings, boolean resume) throws IOException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new HiplabException(path + " is a file; name a folder");
    }
    Files.createDirectories(path);
    RunLog log = RunLog.open(path);
    try {
      Path file = path.resolve(FILE);
      if (Files.exists(file)) {
        String id = takeUp(file, settings, resume);
        log.tidy();
        return new CampaignFolder(path, id, RunLog.read(path), log);
      }
      if (!log.isEmpty()) {
        throw new HiplabException(path + " holds runs but no " + FILE + "; name another folder");
      }
      String id = newId();
      Path draft = path.resolve(FILE + ".draft");
      try {
        Files.writeString(draft, settings.toJson(id, Instant.now().toString()));
        Files.move(draft, file);
      } finally {
        // There only when the disk is full.
        Files.deleteIfExists(draft);
      }
      return new CampaignFolder(path, id, List.of(), log);
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private static String takeUp(Path file, Settings settings, boolean resume) throws IOException {
    Settings there;
    String id;
    try {
      String text = Files.readString(file);
      there = Settings.fromJson(text);
      JsonObject json = JsonParser.parseString(text).getAsJsonObject();
      id = json.get("campaign").getAsString();
    } catch (RuntimeException | CharacterCodingException e) {
      // JSON that is torn, lacks a field or holds a null there, or no text at all.
      throw new HiplabException(file + " is not what a campaign wrote; name another folder", e);
    }
    if (!resume) {
      throw new HiplabException(
          file.getParent()
              + " already holds a campaign; resume it (--resume), or name another"
              + " folder (--out)");
    }
    if (!there.equals(settings)) {
      throw new HiplabException(
          file.getParent()
              + " holds another campaign, made by: "
              + there.command()
              + "; ask for the same to resume it, or name another folder");
    }
    return id;
  }

  /** Says that a campaign's folder cannot be written, and why. */
  static HiplabException notWritable(Path path, IOException e) {
    // Of a file system's exceptions some say the file alone, and why by their kind.
    boolean fileAlone =
        e instanceof FileSystemException file
            && (file.getReason() == null || file.getReason().isEmpty());
    String why =
        fileAlone ? e.getMessage() + " (" + e.getClass().getSimpleName() + ")" : e.getMessage();
    return new HiplabException(
        "the campaign cannot write " + path + ": " + why + "; name another folder", e);
  }

  Path path() {
    return path;
  }

  /**
   * Keeps the sources of scenarios that came as text, so that each row can be read against them.
   */
  void keep(Map<String, String> sources) throws IOException {
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = path.resolve(SOURCES).resolve(source.getKey());
      if (Files.exists(file) && !Files.readString(file).equals(source.getValue())) {
        throw new HiplabException(
            file
                + " holds another source than the one given: its runs would not be of one workload;"
                + " name another folder");
      }
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.getValue());
    }
  }

  String id() {
    return id;
  }

  /** Runs that were there when the folder was opened. */
  List<RunRecord> done() {
    return done;
  }

  /** Adds a run; it is on the disk when this returns. */
  void add(RunRecord run) throws IOException {
    log.add(run);
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
