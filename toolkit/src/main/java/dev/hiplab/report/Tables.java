package dev.hiplab.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import tech.tablesaw.api.ColumnType;
import tech.tablesaw.columns.Column;
import tech.tablesaw.table.Relation;

/**
 * Writers for Tablesaw tables. Own ones, because tablesaw-core has no HTML or Markdown writer and
 * its text form cuts wide tables in the middle.
 *
 * <p>Numbers are written with a point whatever the locale; a missing value is an empty cell.
 */
public final class Tables {
  private static final int WIDEST_CELL = 60;
  private static final int SHOWN_ROWS = 200;

  private Tables() {}

  /** Aligned columns: text to the left, numbers to the right; long cells end in an ellipsis. */
  public static String text(Relation table) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(table.columnNames());
    for (int row = 0; row < Math.min(table.rowCount(), SHOWN_ROWS); row++) {
      rows.add(cells(table, row).stream().map(Tables::cut).toList());
    }
    StringBuilder text = new StringBuilder();
    int[] widths = widths(rows, table.columnCount());
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        int pad = widths[column] - row.get(column).length();
        line.append(column == 0 ? "" : "  ");
        line.append(
            isNumber(table.column(column))
                ? " ".repeat(pad) + row.get(column)
                : row.get(column) + " ".repeat(pad));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    if (table.rowCount() > SHOWN_ROWS) {
      text.append(notShown(table)).append('\n');
    }
    return text.toString();
  }

  /** RFC 4180: comma, double quotes where needed, LF line ends, every row and full cells. */
  public static String csv(Relation table) {
    StringBuilder text = new StringBuilder();
    appendCsv(text, table.columnNames());
    for (int row = 0; row < table.rowCount(); row++) {
      appendCsv(text, exactCells(table, row));
    }
    return text.toString();
  }

  /** A GitHub table, for a review comment. */
  public static String markdown(Relation table) {
    StringBuilder text = new StringBuilder("|");
    StringBuilder rule = new StringBuilder("|");
    for (Column<?> column : table.columns()) {
      text.append(' ').append(escapeMarkdown(column.name())).append(" |");
      rule.append(isNumber(column) ? "---:|" : "---|");
    }
    text.append('\n').append(rule).append('\n');
    for (int row = 0; row < table.rowCount(); row++) {
      text.append('|');
      for (String cell : cells(table, row)) {
        text.append(' ').append(escapeMarkdown(cell)).append(" |");
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** A table element with a caption; long tables end with a count of what is not shown. */
  public static String html(Relation table) {
    StringBuilder html = new StringBuilder("<table class=\"dataframe\" border=\"1\">");
    html.append("<caption style=\"caption-side:top;text-align:left\">");
    html.append(escapeHtml(Objects.toString(table.name(), ""))).append("</caption><thead><tr>");
    for (Column<?> column : table.columns()) {
      html.append("<th").append(align(column)).append('>').append(escapeHtml(column.name()));
      html.append("</th>");
    }
    html.append("</tr></thead><tbody>");
    for (int row = 0; row < Math.min(table.rowCount(), SHOWN_ROWS); row++) {
      html.append("<tr>");
      List<String> cells = cells(table, row);
      for (int column = 0; column < cells.size(); column++) {
        html.append("<td").append(align(table.column(column))).append('>');
        html.append(escapeHtml(cells.get(column))).append("</td>");
      }
      html.append("</tr>");
    }
    html.append("</tbody></table>");
    if (table.rowCount() > SHOWN_ROWS) {
      html.append("<p>").append(notShown(table)).append("</p>");
    }
    return html.toString();
  }

  static String escapeHtml(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Cells for reading: numbers rounded, one line each. */
  private static List<String> cells(Relation table, int row) {
    List<String> cells = new ArrayList<>();
    for (Column<?> column : table.columns()) {
      Object value = column.isMissing(row) ? "" : column.get(row);
      boolean fraction = value instanceof Double || value instanceof Float;
      cells.add(
          fraction
              ? rounded(((Number) value).doubleValue())
              : value.toString().replaceAll("\\R", " "));
    }
    return cells;
  }

  /** Cells for machines: nothing rounded. */
  private static List<String> exactCells(Relation table, int row) {
    List<String> cells = new ArrayList<>();
    for (Column<?> column : table.columns()) {
      cells.add(column.isMissing(row) ? "" : column.get(row).toString());
    }
    return cells;
  }

  /** One decimal from 100 on, else four significant digits. */
  static String rounded(double number) {
    if (!Double.isFinite(number) || number == 0) {
      return number == 0 ? "0" : Double.toString(number);
    }
    if (Math.abs(number) >= 100) {
      return String.format(Locale.ROOT, "%.1f", number);
    }
    BigDecimal digits = new BigDecimal(number).round(new MathContext(4)).stripTrailingZeros();
    return Math.abs(number) < 1e-4 ? digits.toString() : digits.toPlainString();
  }

  private static String cut(String cell) {
    return cell.length() > WIDEST_CELL ? cell.substring(0, WIDEST_CELL - 1) + "…" : cell;
  }

  private static boolean isNumber(Column<?> column) {
    ColumnType type = column.type();
    return type == ColumnType.INTEGER
        || type == ColumnType.LONG
        || type == ColumnType.SHORT
        || type == ColumnType.FLOAT
        || type == ColumnType.DOUBLE;
  }

  private static int[] widths(List<List<String>> rows, int columns) {
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }

  private static void appendCsv(StringBuilder text, List<String> cells) {
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      boolean quote = cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
      text.append(i == 0 ? "" : ",");
      text.append(quote ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
    }
    text.append('\n');
  }

  private static String escapeMarkdown(String cell) {
    return cell.replace("|", "\\|");
  }

  private static String align(Column<?> column) {
    return isNumber(column) ? " style=\"text-align:right\"" : " style=\"text-align:left\"";
  }

  private static String notShown(Relation table) {
    return (table.rowCount() - SHOWN_ROWS) + " more of " + table.rowCount() + " rows not shown";
  }
}
