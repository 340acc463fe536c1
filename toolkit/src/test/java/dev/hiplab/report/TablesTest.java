package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

class TablesTest {
  private static Table table() {
    return Table.create(
        "a <b>",
        StringColumn.create("name", "x,\"y\"", "p|q\nr"),
        DoubleColumn.create("ms", 312.4567, Double.NaN),
        IntColumn.create("n", 7, 1234));
  }

  @Test
  void textAlignsNumbersToTheRightAndLeavesMissingValuesEmpty() {
    assertThat(Tables.text(table()).lines())
        .containsExactly(
            "name      ms     n", //
            "x,\"y\"  312.5     7",
            "p|q r         1234");
  }

  @Test
  void textCutsLongCells() {
    Table wide = Table.create("wide", StringColumn.create("text", "x".repeat(200)));
    String line = Tables.text(wide).lines().skip(1).findFirst().orElseThrow();
    assertThat(line).hasSize(60).endsWith("x…");
  }

  @Test
  void csvQuotesAndRoundsNothing() {
    assertThat(Tables.csv(table()))
        .isEqualTo("name,ms,n\n\"x,\"\"y\"\"\",312.4567,7\n\"p|q\nr\",,1234\n");
  }

  @Test
  void markdownEscapesBarsAndKeepsRowsOnOneLine() {
    assertThat(Tables.markdown(table()).lines())
        .containsExactly(
            "| name | ms | n |", //
            "|---|---:|---:|",
            "| x,\"y\" | 312.5 | 7 |",
            "| p\\|q r |  | 1234 |");
  }

  @Test
  void htmlEscapesEverything() {
    assertThat(Tables.html(table()))
        .contains("a &lt;b&gt;", "x,&quot;y&quot;")
        .doesNotContain("<b>")
        .startsWith("<table");
  }

  @Test
  void longTablesSayHowManyRowsAreNotShownButCsvHasThemAll() {
    int[] numbers = new int[250];
    Arrays.setAll(numbers, i -> i);
    Table table = Table.create("long", IntColumn.create("n", numbers));
    assertThat(Tables.html(table)).contains("50 more of 250 rows not shown");
    assertThat(Tables.text(table)).contains("50 more of 250 rows not shown");
    assertThat(Tables.csv(table).lines()).hasSize(251);
  }

  @Test
  void smallNumbersKeepFourDigits() {
    Table table = Table.create("t", DoubleColumn.create("v", 0.0123456, 21.3456, 0, 5, 1e-7));
    assertThat(Tables.text(table).lines().map(String::strip))
        .containsExactly("v", "0.01235", "21.35", "0", "5", "1E-7");
  }
}
