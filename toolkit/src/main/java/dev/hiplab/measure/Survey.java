package dev.hiplab.measure;

import dev.hiplab.Candidate;
import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What hipBLASLt's heuristic offers for a list of shapes: of each candidate the workspace that it
 * asks for, how long it takes, and whether it is right. Immutable; its folder holds the same as
 * {@code survey.csv}.
 */
public final class Survey {
  private final Path folder;
  private final SurveySettings settings;
  private final List<SurveyRow> rows;

  Survey(Path folder, SurveySettings settings, List<SurveyRow> rows) {
    this.folder = folder;
    this.settings = settings;
    List<String> order = settings.shapes();
    this.rows =
        rows.stream()
            .sorted(java.util.Comparator.comparingInt(row -> order.indexOf(row.problem().label())))
            .toList();
  }

  /** A survey to be told more: {@code Survey.on(device).out(folder).run()}. */
  public static SurveyBuilder on(Device device) {
    return new SurveyBuilder(device);
  }

  /**
   * The survey in a folder, as far as it is done. Needs no device.
   *
   * @throws HiplabException when there is none
   */
  public static Survey read(Path folder) throws IOException {
    SurveySettings settings = SurveyFolder.settings(folder);
    return new Survey(folder, settings, SurveyFile.read(folder.resolve(SurveyFile.NAME)).rows());
  }

  public Path folder() {
    return folder;
  }

  /** The file with all rows. */
  public Path csv() {
    return folder.resolve(SurveyFile.NAME);
  }

  public SurveySettings settings() {
    return settings;
  }

  public Place place() {
    return settings.place();
  }

  /** Shape by shape in the order that was asked for, in the heuristic's order. */
  public List<SurveyRow> rows() {
    return rows;
  }

  /** The rows of each shape. */
  public Map<Problem, List<SurveyRow>> shapes() {
    Map<Problem, List<SurveyRow>> all = new LinkedHashMap<>();
    for (SurveyRow row : rows) {
      all.computeIfAbsent(row.problem(), problem -> new java.util.ArrayList<>()).add(row);
    }
    return all;
  }

  /** The candidates, for tables and plots of those. */
  public List<Candidate> candidates() {
    return rows.stream()
        .filter(SurveyRow::hasCandidate)
        .map(
            row ->
                new Candidate(
                    row.problem().label(),
                    row.candidate(),
                    row.workspaceBytes(),
                    row.waves(),
                    row.solution(),
                    row.name()))
        .toList();
  }

  /** How many rows have a verdict. */
  public long count(Verdict verdict) {
    return rows.stream().filter(row -> row.verdict() == verdict).count();
  }

  /** False when an interrupt ended it before its last shape. */
  public boolean complete() {
    return shapes().size() == settings.shapes().size();
  }

  /** Such as {@code 5 of 5 shapes, 40 candidates, 12 ask for workspace; 40 exact}. */
  public String summary() {
    long candidates = rows.stream().filter(SurveyRow::hasCandidate).count();
    long asking = rows.stream().filter(row -> row.workspaceBytes() > 0).count();
    StringBuilder text = new StringBuilder();
    text.append(shapes().size()).append(" of ").append(settings.shapes().size());
    text.append(settings.shapes().size() == 1 ? " shape, " : " shapes, ");
    text.append(candidates).append(candidates == 1 ? " candidate, " : " candidates, ");
    text.append(asking).append(asking == 1 ? " asks" : " ask").append(" for workspace");
    String sign = "; ";
    for (Verdict verdict : Verdict.values()) {
      if (count(verdict) > 0) {
        text.append(sign).append(count(verdict)).append(' ').append(verdict);
        sign = ", ";
      }
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return place() + ": " + summary() + "; in " + folder;
  }
}
