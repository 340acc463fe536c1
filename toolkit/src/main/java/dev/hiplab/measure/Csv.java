package dev.hiplab.measure;

import com.univocity.parsers.csv.CsvParser;
import com.univocity.parsers.csv.CsvParserSettings;
import com.univocity.parsers.csv.CsvWriter;
import com.univocity.parsers.csv.CsvWriterSettings;
import java.util.Arrays;
import java.util.List;

/** Lines of comma-separated values (RFC 4180, LF), by the library that Tablesaw reads them with. */
final class Csv {
  private static final int LONGEST_CELL = 1 << 20;

  private Csv() {}

  /** The cells with a line end; texts lose their line breaks, so that a row is a line. */
  static String line(List<?> cells) {
    CsvWriterSettings settings = new CsvWriterSettings();
    settings.getFormat().setLineSeparator("\n");
    settings.setIgnoreLeadingWhitespaces(false);
    settings.setIgnoreTrailingWhitespaces(false);
    settings.setQuoteEscapingEnabled(true); // a quote within a cell quotes the cell
    String[] plain = cells.stream().map(Csv::plain).toArray(String[]::new);
    // The writer allocates as much, for each line.
    int longest = Arrays.stream(plain).mapToInt(String::length).max().orElse(0);
    settings.setMaxCharsPerColumn(2 * longest + 2);
    return new CsvWriter(settings).writeRowToString((Object[]) plain) + "\n";
  }

  private static String plain(Object cell) {
    return String.valueOf(cell).replaceAll("[\\r\\n]+", " ");
  }

  /** A line's cells; an empty one is "". */
  static List<String> cells(String line) {
    CsvParserSettings settings = new CsvParserSettings();
    settings.getFormat().setLineSeparator("\n");
    settings.setIgnoreLeadingWhitespaces(false);
    settings.setIgnoreTrailingWhitespaces(false);
    settings.setMaxCharsPerColumn(LONGEST_CELL);
    settings.setNullValue("");
    settings.setEmptyValue("");
    String[] cells = new CsvParser(settings).parseLine(line);
    return cells == null ? List.of() : List.of(cells);
  }
}
