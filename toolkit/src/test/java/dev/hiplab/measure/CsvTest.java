package dev.hiplab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTest {
  @Test
  void cellsComeBackAsTheyWere() {
    List<String> cells =
        List.of("", " a ", "a,b", "a\"b", "\"", "\"\"", "ü", "x".repeat(5000), "=1+2", "a\\b");
    assertThat(Csv.cells(Csv.line(cells).strip())).isEqualTo(cells);
    assertThat(Csv.cells(Csv.line(List.of(1, 2.5, true)).strip()))
        .containsExactly("1", "2.5", "true");
  }

  /** RFC 4180: a cell that holds a quote is quoted, and the quote doubled. */
  @Test
  void aQuoteQuotesTheCell() {
    assertThat(Csv.line(List.of("a\"b", "c"))).isEqualTo("\"a\"\"b\",c\n");
    assertThat(Csv.line(List.of("a,b", "c\nd"))).isEqualTo("\"a,b\",c d\n");
  }
}
