package dev.hiplab.report;

import dev.hiplab.measure.Samples;
import dev.hiplab.measure.Timing;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/**
 * A row an arm of a timing: device milliseconds, the host's microseconds, whether these may be what
 * the device time is, and with more than one arm the ratio to the first.
 */
public final class TimingTable {
  private TimingTable() {}

  public static Table of(Timing timing) {
    Kernel.current(); // a table as a cell's last expression renders only once it is registered
    StringColumn arms = StringColumn.create("arm");
    IntColumn counts = IntColumn.create("repetitions");
    DoubleColumn median = DoubleColumn.create("median ms");
    DoubleColumn lower = DoubleColumn.create("lower quartile");
    DoubleColumn upper = DoubleColumn.create("upper quartile");
    DoubleColumn min = DoubleColumn.create("min");
    DoubleColumn max = DoubleColumn.create("max");
    DoubleColumn deviation = DoubleColumn.create("median deviation");
    IntColumn outliers = IntColumn.create("outside fences");
    DoubleColumn enqueue = DoubleColumn.create("enqueue us");
    StringColumn bound = StringColumn.create("host_bound");
    StringColumn ratios = StringColumn.create("ratio of medians (95 %)");
    timing
        .arms()
        .forEach(
            (name, arm) -> {
              Samples ms = arm.deviceMs();
              arms.append(name);
              counts.append(ms.count());
              median.append(ms.median());
              lower.append(ms.lowerQuartile());
              upper.append(ms.upperQuartile());
              min.append(ms.min());
              max.append(ms.max());
              deviation.append(ms.medianAbsoluteDeviation());
              outliers.append(ms.outliers());
              enqueue.append(arm.enqueueUs().median());
              bound.append(arm.hostBound() ? "yes" : "no");
              ratios.append(timing.ratio(name).toString());
            });
    Table table =
        Table.create(
            "device time",
            arms,
            counts,
            median,
            lower,
            upper,
            min,
            max,
            deviation,
            outliers,
            enqueue,
            bound,
            ratios);
    return timing.arms().size() > 1 ? table : table.removeColumns(ratios);
  }
}
