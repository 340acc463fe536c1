package dev.hiplab.report;

import dev.hiplab.race.RunRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.LongColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/** Runs as a Tablesaw table, a row a run. Times are milliseconds. */
public final class RunTable {
  private RunTable() {}

  /** Everything that a record holds; counters and environment as {@code key=value} lists. */
  public static Table of(List<RunRecord> records) {
    Kernel.current(); // a table as a cell's last expression renders only once it is registered
    Table table = brief(records);
    table.addColumns(
        numbers("seed", records),
        IntColumn.create("exit code", records.stream().mapToInt(RunRecord::exitCode).toArray()),
        text("signal", records, RunRecord::signal),
        text("frame", records, RunRecord::frame),
        text("counters", records, run -> pairs(run.counters())),
        text("environment", records, run -> pairs(run.environment())),
        text("schedule", records, RunRecord::schedule),
        text("orders", records, run -> String.join("; ", run.orders())),
        text("started", records, RunRecord::startedAt),
        text("campaign", records, RunRecord::campaign),
        text("command", records, RunRecord::command));
    return table.setName("runs");
  }

  /** The columns that a person reads first. */
  public static Table brief(List<RunRecord> records) {
    Kernel.current();
    return Table.create(
        "runs",
        text("scenario", records, RunRecord::scenario),
        text("profile", records, RunRecord::profile),
        text("form", records, RunRecord::form),
        text("way", records, RunRecord::way),
        IntColumn.create("run", records.stream().mapToInt(RunRecord::run).toArray()),
        text("outcome", records, run -> run.outcome().name()),
        text("grade", records, run -> run.grade().name()),
        millis("wall ms", records, RunRecord::wallMillis),
        millis("work ms", records, RunRecord::workMillis),
        text("detail", records, RunRecord::detail));
  }

  private static StringColumn text(
      String name, List<RunRecord> records, Function<RunRecord, String> value) {
    return StringColumn.create(name, records.stream().map(value).toArray(String[]::new));
  }

  private static DoubleColumn millis(
      String name, List<RunRecord> records, ToDoubleFunction<RunRecord> value) {
    return DoubleColumn.create(name, records.stream().mapToDouble(value).toArray());
  }

  private static LongColumn numbers(String name, List<RunRecord> records) {
    return LongColumn.create(name, records.stream().mapToLong(RunRecord::seed).toArray());
  }

  private static String pairs(Map<String, ?> map) {
    StringBuilder text = new StringBuilder();
    new TreeMap<String, Object>(map)
        .forEach(
            (key, value) ->
                text.append(text.length() == 0 ? "" : "; ").append(key).append('=').append(value));
    return text.toString();
  }
}
