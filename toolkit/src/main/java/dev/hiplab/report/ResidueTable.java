package dev.hiplab.report;

import dev.hiplab.Residue;
import dev.hiplab.ResidueRow;
import java.util.List;
import java.util.function.Function;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/** What the probes of a device came to, a row a pattern and type, beside what gfx11 leaves. */
public final class ResidueTable {
  /** Errors are told in this unit as well: half the smallest residue of the table. */
  static final double UNIT = 0x1p-26;

  private ResidueTable() {}

  public static Table of(Residue residue) {
    Kernel.current(); // a table as a cell's last expression renders only once it is registered
    List<ResidueRow> rows = residue.rows();
    return Table.create(
        "residue: " + residue.text(),
        texts("type", rows, row -> row.type().toString()),
        texts("row of A", rows, ResidueRow::pattern),
        DoubleColumn.create("exact sum", rows.stream().mapToDouble(ResidueRow::exact).toArray()),
        IntColumn.create("outputs", rows.stream().mapToInt(ResidueRow::outputs).toArray()),
        IntColumn.create("off", rows.stream().mapToInt(ResidueRow::off).toArray()),
        texts("largest error", rows, ResidueRow::errorText),
        DoubleColumn.create(
            "in 2^-26", rows.stream().mapToDouble(row -> row.error() / UNIT).toArray()),
        texts("on gfx11", rows, ResidueRow::gfx11Text));
  }

  private static StringColumn texts(
      String name, List<ResidueRow> rows, Function<ResidueRow, String> text) {
    return StringColumn.create(name, rows.stream().map(text).toArray(String[]::new));
  }
}
