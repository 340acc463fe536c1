package dev.hiplab.measure;

import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Stream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Runs a survey: shape by shape, each on the disk before the next begins. */
final class SurveyRun {
  private final Device device;
  private final MeasureListener listener;

  SurveyRun(Device device, MeasureListener listener) {
    this.device = device;
    this.listener = listener;
  }

  /**
   * Runs it.
   *
   * @param settings what is asked for, given what the folder's survey was (null for a new one)
   */
  Survey run(Path path, UnaryOperator<SurveySettings> settings, boolean resume) {
    if (Thread.currentThread().isInterrupted()) {
      throw new HiplabException("the survey was interrupted before it began; nothing was written");
    }
    try {
      SurveySettings wanted = settings.apply(resume ? SurveyFolder.settings(path) : null);
      try (SurveyFolder folder = SurveyFolder.open(path, wanted, resume)) {
        return run(path, folder);
      }
    } catch (IOException e) {
      String why =
          e instanceof FileSystemException file && file.getReason() == null
              ? e.getMessage() + " (" + e.getClass().getSimpleName() + ")"
              : e.getMessage();
      throw new HiplabException(
          "the survey cannot write " + path + ": " + why + "; name another folder", e);
    }
  }

  private Survey run(Path path, SurveyFolder folder) throws IOException {
    SurveySettings settings = folder.settings();
    List<SurveyRow> rows = new ArrayList<>(folder.done());
    Set<Problem> done = new HashSet<>();
    rows.forEach(row -> done.add(row.problem()));
    List<Problem> problems = settings.problems();
    listener.started("shapes", problems.size(), done.size());
    try (Stream stream = device.stream()) {
      ShapeSurvey survey = new ShapeSurvey(device, stream, settings, listener);
      for (Problem problem : problems) {
        if (done.contains(problem)) {
          continue;
        }
        if (Thread.currentThread().isInterrupted()) {
          break;
        }
        List<SurveyRow> found = found(survey, problem, done.size(), path);
        folder.add(found);
        rows.addAll(found);
        done.add(problem);
        listener.ended(problem.label(), done.size(), problems.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      listener.finished();
    }
    return new Survey(path, settings, rows);
  }

  /** A lost device ends the survey: what came after it would say nothing of the candidates. */
  private static List<SurveyRow> found(ShapeSurvey survey, Problem problem, int done, Path path)
      throws InterruptedException {
    try {
      return survey.run(problem);
    } catch (HiplabException lost) {
      throw new HiplabException(
          "the device was lost at "
              + problem
              + ": "
              + lost.getMessage()
              + "; "
              + (done == 1 ? "1 shape is" : done + " shapes are")
              + " in "
              + path
              + "; resume it in a new process when the device works",
          lost);
    }
  }
}
