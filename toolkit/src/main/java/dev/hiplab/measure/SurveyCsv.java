package dev.hiplab.measure;

import dev.hiplab.HiplabException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The columns of {@code survey.csv}. Where hipblaslt-bench has a column of the same meaning it has
 * that name and meaning, column-major; docs/survey.md tells each.
 */
final class SurveyCsv {
  private static final Map<String, Function<SurveyRow, Object>> COLUMNS = new LinkedHashMap<>();

  static {
    column("transA", row -> ColumnMajor.letter(blas(row).transA()));
    column("transB", row -> ColumnMajor.letter(blas(row).transB()));
    column("batch_count", row -> blas(row).batch());
    column("m", row -> blas(row).m());
    column("n", row -> blas(row).n());
    column("k", row -> blas(row).k());
    column("alpha", row -> 1);
    column("lda", row -> blas(row).lda());
    column("stride_a", row -> blas(row).strideA());
    column("beta", row -> 0);
    column("ldb", row -> blas(row).ldb());
    column("stride_b", row -> blas(row).strideB());
    column("ldc", row -> blas(row).ldc());
    column("stride_c", row -> blas(row).strideC());
    column("ldd", row -> blas(row).ldc());
    column("stride_d", row -> blas(row).strideC());
    column("a_type", row -> row.problem().dtype() + "_r");
    column("b_type", row -> row.problem().dtype() + "_r");
    column("c_type", row -> row.problem().dtype().result() + "_r");
    column("d_type", row -> row.problem().dtype().result() + "_r");
    column("compute_type", row -> "f32_r");
    column("solution_index", row -> row.solution() < 0 ? "" : row.solution());
    column("hipblaslt-Gflops", row -> number(row.gflops()));
    column("us", row -> number(row.times().median()));
    column("shape", row -> row.problem().label());
    column("shape_rows", SurveyRow::rows);
    column("candidate", row -> row.hasCandidate() ? row.candidate() : "");
    column("workspace_bytes", row -> row.hasCandidate() ? row.workspaceBytes() : "");
    column("waves", row -> Float.isNaN(row.waves()) ? "" : row.waves());
    column("solution_name", SurveyRow::name);
    column("us_lower_quartile", row -> number(row.times().lowerQuartile()));
    column("us_upper_quartile", row -> number(row.times().upperQuartile()));
    column("us_min", row -> number(row.times().min()));
    column("us_max", row -> number(row.times().max()));
    column("repetitions", row -> row.times().repetitions());
    column("outliers", row -> row.times().outliers());
    column("checked", SurveyRow::checked);
    column("verdict", SurveyRow::verdict);
    column("largest_error", row -> number(row.largestError()));
    column("bound", row -> number(row.bound()));
    column("reason", SurveyRow::reason);
  }

  private static final List<String> OF_PLACE =
      List.of("driver", "profile", "device", "arch", "hipblaslt_version", "hiplab_version");

  private SurveyCsv() {}

  private static void column(String name, Function<SurveyRow, Object> value) {
    COLUMNS.put(name, value);
  }

  private static ColumnMajor blas(SurveyRow row) {
    return row.problem().columnMajor();
  }

  private static Object number(double value) {
    return Double.isNaN(value) ? "" : value;
  }

  static List<String> names() {
    List<String> all = new ArrayList<>(COLUMNS.keySet());
    all.addAll(OF_PLACE);
    return all;
  }

  static String header() {
    return Csv.line(names());
  }

  static String line(SurveyRow row, Place place) {
    List<Object> cells = new ArrayList<>();
    COLUMNS.values().forEach(value -> cells.add(value.apply(row)));
    cells.addAll(List.of(place.driver(), place.profile(), place.device(), place.arch()));
    cells.add(place.version("hipblaslt"));
    cells.add(place.version("hiplab"));
    return Csv.line(cells);
  }

  /**
   * Reads a line back.
   *
   * @throws HiplabException when it is no row
   */
  static SurveyRow row(String line) {
    List<String> cells = Csv.cells(line);
    List<String> names = names();
    if (cells.size() != names.size()) {
      throw new HiplabException("it has " + cells.size() + " cells, not " + names.size());
    }
    Map<String, String> cell = new HashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      cell.put(names.get(i), cells.get(i));
    }
    try {
      return row(cell);
    } catch (IllegalArgumentException e) {
      throw new HiplabException(e.getMessage(), e);
    }
  }

  private static SurveyRow row(Map<String, String> cell) {
    return new SurveyRow(
        Problem.of(cell.get("shape")),
        Integer.parseInt(cell.get("shape_rows")),
        whole(cell, "candidate", -1),
        cell.get("workspace_bytes").isEmpty() ? 0 : Long.parseLong(cell.get("workspace_bytes")),
        (float) real(cell, "waves"),
        whole(cell, "solution_index", -1),
        cell.get("solution_name"),
        new SurveyRow.Times(
            whole(cell, "repetitions", 0),
            real(cell, "us"),
            real(cell, "us_lower_quartile"),
            real(cell, "us_upper_quartile"),
            real(cell, "us_min"),
            real(cell, "us_max"),
            whole(cell, "outliers", 0)),
        whole(cell, "checked", 0),
        Verdict.of(cell.get("verdict")),
        real(cell, "largest_error"),
        real(cell, "bound"),
        cell.get("reason"));
  }

  private static int whole(Map<String, String> cell, String name, int missing) {
    return cell.get(name).isEmpty() ? missing : Integer.parseInt(cell.get(name));
  }

  private static double real(Map<String, String> cell, String name) {
    return cell.get(name).isEmpty() ? Double.NaN : Double.parseDouble(cell.get(name));
  }
}
