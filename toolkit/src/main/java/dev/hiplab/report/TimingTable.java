package dev.hiplab.report;

import dev.hiplab.measure.Samples;
import dev.hiplab.measure.Timing;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/**
 * A row an arm of a timing: device milliseconds, the host's microseconds, the ratio to the first.
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
              ratios.append(timing.ratio(name).toString());
            });
    return Table.create(
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
        ratios);
  }
}
