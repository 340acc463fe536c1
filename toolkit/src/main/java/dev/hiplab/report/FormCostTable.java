package dev.hiplab.report;

import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Form;
import java.util.List;
import java.util.function.ToDoubleFunction;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/**
 * What right forms cost beside FIXED: medians over the runs of {@link dev.hiplab.race.FormCost}. A
 * form that serializes on the GPU has an overlap of about 1 (eight streams are as fast as one); one
 * that serializes on the host has a long enqueue with eight threads.
 */
public final class FormCostTable {
  private FormCostTable() {}

  /** A row a part and form. */
  public static Table of(List<RunRecord> records) {
    Kernel.current(); // a table as a cell's last expression renders only once it is registered
    List<FormSummary> rows = FormSummary.of(records);
    return Table.create(
        "cost of forms",
        StringColumn.create("part", rows.stream().map(row -> part(row.scenario()))),
        StringColumn.create("form", rows.stream().map(FormSummary::form)),
        IntColumn.create("runs", rows.stream().mapToInt(FormSummary::runs).toArray()),
        column("enqueue µs, 1 thread", rows, row -> micros(row, "enqueue.ns.1")),
        column("enqueue µs, 8 threads", rows, row -> micros(row, "enqueue.ns.8")),
        column("GEMMs/s, 8 threads", rows, row -> row.median(FormCostTable::throughput)),
        column("overlap (8 streams / 1)", rows, row -> row.median(FormCostTable::overlap)),
        column(
            "throughput / FIXED",
            rows,
            row -> row.median(FormCostTable::throughput) / fixedThroughput(row, rows)));
  }

  static String part(String scenario) {
    return scenario.substring(scenario.indexOf('.') + 1);
  }

  /** GEMMs a second of a run's eight threads. */
  static double throughput(RunRecord run) {
    return run.counters().getOrDefault("gemms.per.s.8", 0L);
  }

  /** How much faster a run's eight streams were than its one. */
  static double overlap(RunRecord run) {
    return throughput(run) / run.counters().getOrDefault("gemms.per.s.1", 0L);
  }

  /** Median throughput of the FIXED form of a row's part; NaN when it was not run. */
  static double fixedThroughput(FormSummary row, List<FormSummary> rows) {
    return rows.stream()
        .filter(one -> one.scenario().equals(row.scenario()) && one.profile().equals(row.profile()))
        .filter(one -> one.form().equals(Form.FIXED))
        .mapToDouble(fixed -> fixed.median(FormCostTable::throughput))
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double median(FormSummary row, String counter) {
    return row.median(run -> run.counters().getOrDefault(counter, 0L));
  }

  private static double micros(FormSummary row, String counter) {
    return median(row, counter) / 1000;
  }

  private static DoubleColumn column(
      String name, List<FormSummary> rows, ToDoubleFunction<FormSummary> value) {
    double[] rounded =
        rows.stream().mapToDouble(value).map(one -> Math.rint(one * 100) / 100).toArray();
    return DoubleColumn.create(name, rounded);
  }
}
