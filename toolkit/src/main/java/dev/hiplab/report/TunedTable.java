package dev.hiplab.report;

import dev.hiplab.TuneResult;
import dev.hiplab.Tuned;
import java.util.List;
import java.util.stream.Stream;
import tech.tablesaw.api.BooleanColumn;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.LongColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/** What tuning measured, a row a candidate; a time that there is not is a missing value. */
public final class TunedTable {
  private TunedTable() {}

  /** Under the name of the GEMM and the place. */
  public static Table of(TuneResult result) {
    return of(result.rows()).setName(result.shape() + " on " + result.on());
  }

  public static Table of(List<Tuned> rows) {
    Kernel.current(); // a table as a cell's last expression renders only once it is registered
    IntColumn solutions = IntColumn.create("solution");
    DoubleColumn medians = DoubleColumn.create("median ms");
    DoubleColumn lower = DoubleColumn.create("lower quartile ms");
    DoubleColumn upper = DoubleColumn.create("upper quartile ms");
    for (Tuned row : rows) {
      if (row.candidate().solution() < 0) {
        solutions.appendMissing();
      } else {
        solutions.append(row.candidate().solution());
      }
      medians.append(row.medianMs()); // NaN is missing
      lower.append(row.lowerMs());
      upper.append(row.upperMs());
    }
    return Table.create(
        "tuned",
        texts("shape", rows.stream().map(row -> row.candidate().shape())),
        IntColumn.create(
            "candidate", rows.stream().mapToInt(row -> row.candidate().index()).toArray()),
        solutions,
        medians,
        lower,
        upper,
        LongColumn.create(
            "workspace bytes",
            rows.stream().mapToLong(row -> row.candidate().workspaceBytes()).toArray()),
        BooleanColumn.create("chosen", rows.stream().map(Tuned::chosen).toArray(Boolean[]::new)),
        texts("skipped", rows.stream().map(Tuned::skipped)),
        texts("name", rows.stream().map(row -> row.candidate().name())));
  }

  private static StringColumn texts(String name, Stream<String> texts) {
    return StringColumn.create(name, texts.toArray(String[]::new));
  }
}
