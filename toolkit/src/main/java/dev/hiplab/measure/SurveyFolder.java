package dev.hiplab.measure;

import dev.hiplab.FolderLock;
import dev.hiplab.HiplabException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folder that a survey writes, one process at a time: {@code survey.json}, its settings, and
 * {@code survey.csv}, whose rows are on the disk when their shape ends.
 */
final class SurveyFolder implements AutoCloseable {
  private final FolderLock lock;
  private final RandomAccessFile file;
  private final SurveySettings settings;
  private final List<SurveyRow> done;

  private SurveyFolder(
      FolderLock lock, RandomAccessFile file, SurveySettings settings, List<SurveyRow> done) {
    this.lock = lock;
    this.file = file;
    this.settings = settings;
    this.done = done;
  }

  /**
   * What a survey in a folder was asked to do.
   *
   * @throws HiplabException when there is none
   */
  static SurveySettings settings(Path folder) throws IOException {
    Path file = folder.resolve(SurveySettings.FILE);
    if (!Files.isRegularFile(file)) {
      throw new HiplabException(
          folder
              + " holds no survey: there is no "
              + SurveySettings.FILE
              + "; give a folder that survey wrote");
    }
    return SurveySettings.fromJson(Files.readString(file), file);
  }

  /**
   * Makes the folder, or goes on with the survey in it.
   *
   * @throws HiplabException when there is one and it is not to be gone on with, or is another
   */
  static SurveyFolder open(Path folder, SurveySettings wanted, boolean resume) throws IOException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new HiplabException(folder + " is a file; name a folder");
    }
    Files.createDirectories(folder);
    FolderLock lock = FolderLock.take(folder, "survey");
    try {
      SurveySettings settings = resume ? takenUp(folder, wanted) : begun(folder, wanted);
      SurveyFile there = SurveyFile.read(folder.resolve(SurveyFile.NAME));
      return new SurveyFolder(lock, opened(folder, there.bytes()), settings, there.rows());
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static SurveySettings takenUp(Path folder, SurveySettings wanted) throws IOException {
    SurveySettings there = settings(folder);
    List<String> differences = wanted.differences(there);
    if (!differences.isEmpty()) {
      throw new HiplabException(
          folder
              + " holds another survey: "
              + String.join("; ", differences)
              + "; ask for the same on the same device to resume it, or begin a new one");
    }
    return there;
  }

  private static SurveySettings begun(Path folder, SurveySettings wanted) throws IOException {
    for (String name : List.of(SurveySettings.FILE, SurveyFile.NAME)) {
      if (Files.exists(folder.resolve(name))) {
        throw new HiplabException(
            folder + " already holds a survey; resume it, or name another folder");
      }
    }
    Path draft = folder.resolve(SurveySettings.FILE + ".draft");
    try {
      Files.writeString(draft, wanted.toJson());
      Files.move(draft, folder.resolve(SurveySettings.FILE));
    } finally {
      Files.deleteIfExists(draft); // there only when the disk is full
    }
    return wanted;
  }

  /**
   * For more rows behind what is whole; what is torn is cut off. No channel: an interrupt of the
   * thread would close it in the midst of a write.
   */
  private static RandomAccessFile opened(Path folder, long whole) throws IOException {
    RandomAccessFile file = new RandomAccessFile(folder.resolve(SurveyFile.NAME).toFile(), "rw");
    try {
      file.setLength(whole);
      file.seek(whole);
      if (whole == 0) {
        write(file, SurveyCsv.header());
      }
      return file;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  SurveySettings settings() {
    return settings;
  }

  /** Rows that were there when the folder was opened. */
  List<SurveyRow> done() {
    return done;
  }

  /** Adds a shape's rows; they are on the disk when this returns. */
  void add(List<SurveyRow> rows) throws IOException {
    StringBuilder lines = new StringBuilder();
    rows.forEach(row -> lines.append(SurveyCsv.line(row, settings.place())));
    write(file, lines.toString());
  }

  private static void write(RandomAccessFile file, String text) throws IOException {
    file.write(text.getBytes(StandardCharsets.UTF_8));
    file.getFD().sync();
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      file.close();
    }
  }
}
