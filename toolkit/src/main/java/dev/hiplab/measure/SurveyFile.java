package dev.hiplab.measure;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code survey.csv} holds: the rows of the shapes that are whole. A process that is killed
 * may leave half a line, or some of a shape's lines only; those are not counted, and their shape is
 * done again.
 *
 * @param rows of whole shapes, in the order of the file
 * @param bytes how much of the file they are, with the header
 */
record SurveyFile(List<SurveyRow> rows, long bytes) {
  static final String NAME = "survey.csv";

  /**
   * Reads it.
   *
   * @throws HiplabException naming a line that is no row
   */
  static SurveyFile read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new SurveyFile(List.of(), 0);
    }
    byte[] all = Files.readAllBytes(file);
    List<SurveyRow> rows = new ArrayList<>();
    List<SurveyRow> shape = new ArrayList<>();
    long whole = 0;
    int number = 0;
    for (int from = 0, end = lineEnd(all, 0); end > 0; from = end, end = lineEnd(all, end)) {
      String line = new String(all, from, end - 1 - from, StandardCharsets.UTF_8);
      line = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line; // an editor's CRLF
      number++;
      if (number == 1) {
        requireHeader(file, line);
        whole = end;
        continue;
      }
      SurveyRow row = row(file, number, line);
      if (!shape.isEmpty() && !shape.get(0).problem().equals(row.problem())) {
        throw new HiplabException(
            "line " + number + " of " + file + " is of another shape than its neighbours");
      }
      shape.add(row);
      if (shape.size() == row.rows()) {
        rows.addAll(shape);
        shape.clear();
        whole = end;
      }
    }
    return new SurveyFile(List.copyOf(rows), whole);
  }

  /** Past the next line end; 0 when there is none. */
  private static int lineEnd(byte[] all, int from) {
    for (int i = from; i < all.length; i++) {
      if (all[i] == '\n') {
        return i + 1;
      }
    }
    return 0;
  }

  private static void requireHeader(Path file, String line) {
    if (!(line + "\n").equals(SurveyCsv.header())) {
      throw new HiplabException(
          file + " has other columns than this version of hiplab writes; name another folder");
    }
  }

  private static SurveyRow row(Path file, int number, String line) {
    try {
      return SurveyCsv.row(line);
    } catch (HiplabException e) {
      throw new HiplabException(
          "line " + number + " of " + file + " is no row of a survey: " + e.getMessage(), e);
    }
  }
}
