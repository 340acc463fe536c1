package dev.hiplab.report;

import dev.hiplab.measure.Problem;
import dev.hiplab.measure.Survey;
import dev.hiplab.measure.SurveyRow;
import dev.hiplab.measure.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.LongColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/** What a survey found; times in microseconds of the device, workspace in bytes. */
public final class SurveyTable {
  private SurveyTable() {}

  /** A row a candidate. {@code survey.csv} has every column. */
  public static Table of(Survey survey) {
    Kernel.current(); // a table as a cell's last expression renders only once it is registered
    StringColumn shapes = StringColumn.create("shape");
    IntColumn candidates = IntColumn.create("candidate");
    LongColumn workspace = LongColumn.create("workspace bytes");
    DoubleColumn waves = numbers("waves");
    DoubleColumn median = numbers("us");
    StringColumn quartiles = StringColumn.create("quartiles");
    IntColumn repetitions = IntColumn.create("of");
    DoubleColumn gflops = numbers("Gflops");
    StringColumn verdicts = StringColumn.create("verdict");
    DoubleColumn error = numbers("largest error");
    StringColumn reasons = StringColumn.create("reason");
    for (SurveyRow row : survey.rows()) {
      shapes.append(row.problem().label());
      verdicts.append(row.verdict() + (row.checked() > 0 ? " (" + row.checked() + ")" : ""));
      reasons.append(row.reason());
      error.append(row.largestError());
      waves.append(row.waves());
      median.append(row.times().median());
      gflops.append(row.gflops());
      quartiles.append(quartiles(row.times()));
      if (row.hasCandidate()) {
        candidates.append(row.candidate());
        workspace.append(row.workspaceBytes());
        repetitions.append(row.times().repetitions());
      } else {
        candidates.appendMissing();
        workspace.appendMissing();
        repetitions.appendMissing();
      }
    }
    Table table =
        Table.create(
            "candidates",
            shapes,
            candidates,
            workspace,
            waves,
            median,
            quartiles,
            repetitions,
            gflops,
            verdicts,
            error,
            reasons);
    if (survey.rows().stream().allMatch(row -> row.times().repetitions() == 0)) {
      table.removeColumns("us", "quartiles", "of", "Gflops");
    }
    if (survey.rows().stream().allMatch(row -> row.checked() == 0)) {
      table.removeColumns("largest error");
    }
    if (survey.rows().stream().allMatch(row -> row.reason().isEmpty())) {
      table.removeColumns("reason");
    }
    return table;
  }

  /**
   * A row a shape: its candidates, their workspace, the fastest, how many are as fast within the
   * spread ({@code as fast}, itself among them: their lower quartile is at most its upper
   * quartile), and how far medians lie apart. Where the heuristic's first is among those ({@code
   * first as fast}) its ratio is noise.
   */
  public static Table byShape(Survey survey) {
    Kernel.current();
    StringColumn shapes = StringColumn.create("shape");
    IntColumn offered = IntColumn.create("candidates");
    IntColumn asking = IntColumn.create("ask for workspace");
    LongColumn largest = LongColumn.create("largest bytes");
    IntColumn fastest = IntColumn.create("fastest");
    IntColumn level = IntColumn.create("as fast");
    DoubleColumn best = numbers("its us");
    StringColumn spread = StringColumn.create("quartiles");
    DoubleColumn first = numbers("first / fastest");
    StringColumn firstToo = StringColumn.create("first as fast");
    DoubleColumn slowest = numbers("slowest / fastest");
    StringColumn verdicts = StringColumn.create("verdicts");
    for (Map.Entry<Problem, List<SurveyRow>> shape : survey.shapes().entrySet()) {
      List<SurveyRow> rows = shape.getValue().stream().filter(SurveyRow::hasCandidate).toList();
      shapes.append(shape.getKey().label());
      offered.append(rows.size());
      asking.append((int) rows.stream().filter(row -> row.workspaceBytes() > 0).count());
      largest.append(rows.stream().mapToLong(SurveyRow::workspaceBytes).max().orElse(0));
      verdicts.append(verdicts(shape.getValue()));
      Fastest of = Fastest.of(rows);
      if (of == null) {
        fastest.appendMissing();
        level.appendMissing();
      } else {
        level.append(of.level().size());
        fastest.append(of.row().candidate());
      }
      firstToo.append(of == null ? "" : of.level().contains(rows.get(0)) ? "yes" : "no");
      spread.append(of == null ? "" : quartiles(of.row().times()));
      best.append(of == null ? Double.NaN : of.row().times().median());
      first.append(of == null ? Double.NaN : of.first());
      slowest.append(of == null ? Double.NaN : of.slowest());
    }
    Table table =
        Table.create(
            "by shape",
            shapes,
            offered,
            asking,
            largest,
            fastest,
            level,
            best,
            spread,
            firstToo,
            first,
            slowest,
            verdicts);
    if (survey.rows().stream().allMatch(row -> row.times().repetitions() == 0)) {
      table.removeColumns(
          "fastest",
          "as fast",
          "its us",
          "quartiles",
          "first as fast",
          "first / fastest",
          "slowest / fastest");
    }
    return table;
  }

  /** Printed rounded, also where the table prints itself; values are kept in full. NaN: missing. */
  private static DoubleColumn numbers(String name) {
    DoubleColumn column = DoubleColumn.create(name);
    column.setPrintFormatter(new RoundedFormat(), "");
    return column;
  }

  private static String quartiles(SurveyRow.Times times) {
    return times.repetitions() == 0
        ? ""
        : String.format(Locale.ROOT, "%.1f to %.1f", times.lowerQuartile(), times.upperQuartile());
  }

  private static String verdicts(List<SurveyRow> rows) {
    StringBuilder text = new StringBuilder();
    for (Verdict verdict : Verdict.values()) {
      long count = rows.stream().filter(row -> row.verdict() == verdict).count();
      if (count > 0) {
        text.append(text.isEmpty() ? "" : ", ").append(count).append(' ').append(verdict);
      }
    }
    return text.toString();
  }
}
