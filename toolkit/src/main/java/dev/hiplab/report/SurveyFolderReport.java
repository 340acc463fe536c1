package dev.hiplab.report;

import dev.hiplab.measure.Survey;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A survey's plots as files beside its CSV. */
public final class SurveyFolderReport {
  private SurveyFolderReport() {}

  /**
   * Writes {@code workspace.png} and, when candidates have a time, {@code times.png}. On a machine
   * that cannot draw it says so on standard error.
   *
   * @return the files
   */
  public static List<Path> write(Survey survey) {
    List<Path> files = new ArrayList<>();
    try {
      if (!survey.candidates().isEmpty()) {
        files.add(Plots.png(WorkspacePlot.of(survey), survey.folder().resolve("workspace.png")));
      }
      if (survey.rows().stream().anyMatch(row -> row.times().lowerQuartile() > 0)) {
        files.add(Plots.png(SurveyTimePlot.of(survey), survey.folder().resolve("times.png")));
      }
    } catch (IllegalStateException | UncheckedIOException cannotDraw) {
      System.err.println("hiplab: " + TerminalText.of(cannotDraw.getMessage()));
    }
    return files;
  }
}
