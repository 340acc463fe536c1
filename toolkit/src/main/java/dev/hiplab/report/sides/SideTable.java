package dev.hiplab.report.sides;

import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import tech.tablesaw.api.BooleanColumn;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/** The rows with columns for each side; a side that lacks a row has 0 runs there. */
final class SideTable {
  private final List<SideRow> rows;
  private final Table table = Table.create("sides");

  private SideTable(List<SideRow> rows) {
    this.rows = rows;
  }

  static Table of(Sides sides) {
    return new SideTable(sides.rows()).fill(sides);
  }

  private Table fill(Sides sides) {
    text("scenario", SideRow::scenario);
    text("profile", SideRow::profile);
    text("form", SideRow::form);
    text("way", SideRow::way);
    table.addColumns(
        BooleanColumn.create("outcome kinds differ", rows.stream().map(SideRow::differs).toList()));
    for (int i = 0; i < sides.count(); i++) {
      int side = i;
      String name = sides.names().get(side) + ": ";
      count(name + "runs", side, row -> row.sides().get(side).runs());
      text(name + "outcomes", row -> row.words(side));
      count(name + "failed", side, row -> row.failed(side));
      count(name + "right", side, row -> row.right(side));
      count(name + "forbidden", side, row -> row.sides().get(side).count(Grade.FORBIDDEN));
      real(name + "median wall ms", row -> row.median(side, RunRecord::wallMillis));
      real(name + "median work ms", row -> row.median(side, RunRecord::workMillis));
    }
    for (int i = 1; i < sides.count(); i++) {
      int side = i;
      String name = sides.names().get(side) + " beside " + sides.names().get(0) + ": ";
      real(name + "wall ratio", row -> row.ratio(side, RunRecord::wallMillis));
      real(name + "work ratio", row -> row.ratio(side, RunRecord::workMillis));
      real(name + "Fisher p", row -> row.p(side));
    }
    return table;
  }

  private void text(String name, Function<SideRow, String> value) {
    table.addColumns(StringColumn.create(name, rows.stream().map(value).toArray(String[]::new)));
  }

  private void count(String name, int side, ToIntFunction<SideRow> value) {
    ToIntFunction<SideRow> there = row -> row.isMissing(side) ? 0 : value.applyAsInt(row);
    table.addColumns(IntColumn.create(name, rows.stream().mapToInt(there).toArray()));
  }

  private void real(String name, ToDoubleFunction<SideRow> value) {
    table.addColumns(DoubleColumn.create(name, rows.stream().mapToDouble(value).toArray()));
  }
}
