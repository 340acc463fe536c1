package dev.hiplab.report.html;

import java.util.ArrayList;
import java.util.List;

/**
 * A table with a caption, scopes on its heads, and room to scroll sideways on a narrow screen.
 * Cells are markup: the caller escapes.
 */
public final class HtmlTable {
  /** What a column holds: text, or numbers, which stand to the right. */
  public enum Kind {
    TEXT,
    NUMBER,
    /** Long text, which gets the room that is left. */
    LONG
  }

  private record Column(String title, Kind kind) {}

  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final StringBuilder rows = new StringBuilder();

  public HtmlTable(String caption) {
    this.caption = caption;
  }

  public HtmlTable column(String title, Kind kind) {
    columns.add(new Column(title, kind));
    return this;
  }

  /** A row: the first cell is its head. */
  public HtmlTable row(List<String> cells) {
    return row("", cells);
  }

  /** The same, marked. */
  public HtmlTable row(String mark, List<String> cells) {
    rows.append(mark.isEmpty() ? "<tr>" : "<tr class=\"" + mark + "\">");
    for (int i = 0; i < cells.size(); i++) {
      String name = i == 0 ? "th" : "td";
      rows.append('<').append(name).append(i == 0 ? " scope=\"row\"" : "");
      rows.append(look(columns.get(i))).append('>');
      rows.append(cells.get(i)).append("</").append(name).append('>');
    }
    rows.append("</tr>\n");
    return this;
  }

  /** The markup. */
  public String html() {
    StringBuilder html = new StringBuilder();
    html.append("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html.append(Html.text(caption)).append("\"><table><caption>").append(Html.text(caption));
    html.append("</caption>\n<thead><tr>");
    for (Column column : columns) {
      html.append("<th scope=\"col\"").append(look(column)).append('>');
      html.append(Html.text(column.title())).append("</th>");
    }
    return html.append("</tr></thead>\n<tbody>\n")
        .append(rows)
        .append("</tbody></table></div>\n")
        .toString();
  }

  private static String look(Column column) {
    return switch (column.kind()) {
      case TEXT -> "";
      case NUMBER -> " class=\"n\"";
      case LONG -> " class=\"long\"";
    };
  }
}
