package dev.hiplab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What tuning a GEMM in bounded time found. Later GEMMs of this shape on the same backend and
 * device take the chosen candidate; {@link Tunings} keeps it in a file.
 *
 * @param dtype element type of A and B
 * @param spec the transposes
 * @param m rows of C
 * @param n columns of C
 * @param k length of the sums
 * @param device in words
 * @param on what must be the same for the winner to count elsewhere
 * @param options what it was tuned with, the batch among them
 * @param rows every candidate in the library's order; exactly one is chosen, and one that was not
 *     measured says why
 * @param wall time of the whole call
 */
public record TuneResult(
    DType dtype,
    Gemm spec,
    int m,
    int n,
    int k,
    String device,
    TunedOn on,
    TuneOptions options,
    List<Tuned> rows,
    Duration wall) {
  /** Such as {@code bf16 64x64x2048 NT}. */
  public String shape() {
    return new GemmShape(options.batch(), m, n, k).label(dtype, spec);
  }

  /** The fastest, which later GEMMs of this shape take. */
  public Tuned chosen() {
    return rows.stream().filter(Tuned::chosen).findFirst().orElseThrow();
  }

  /**
   * How many candidates are as fast as the chosen one within the spread, itself included: their
   * lower quartile is at most its upper one. Where there are several, another run may choose
   * another of them.
   */
  public int asFast() {
    Tuned fastest = chosen();
    return (int) rows.stream().filter(row -> row.asFastAs(fastest)).count();
  }

  /**
   * What a file keeps of it.
   *
   * @throws HiplabException when the library tells no index of its algorithms
   */
  public Winner winner() {
    Candidate fastest = chosen().candidate();
    if (fastest.solution() < 0) {
      throw new HiplabException(
          shape()
              + ": hipBLASLt tells no solution index here ("
              + on
              + "), so that its winner cannot be found again; it holds for this backend only");
    }
    String version = TuneResult.class.getPackage().getImplementationVersion();
    return new Winner(
        dtype,
        spec,
        options.batch(),
        m,
        n,
        k,
        on,
        options.candidates(),
        options.capBytes(),
        fastest.solution(),
        fastest.name(),
        fastest.workspaceBytes(),
        chosen().medianMs(),
        version == null ? "development" : version);
  }

  /** A table of the candidates, under a line that says what and where. */
  @Override
  public String toString() {
    List<String[]> cells = new ArrayList<>();
    cells.add(
        new String[] {
          "",
          "candidate",
          "solution",
          "median ms",
          "quartiles ms",
          "workspace bytes",
          "name, or why not measured"
        });
    for (Tuned row : rows) {
      Candidate one = row.candidate();
      cells.add(
          new String[] {
            row.chosen() ? "*" : "",
            "" + one.index(),
            one.solution() < 0 ? "" : "" + one.solution(),
            Double.isNaN(row.medianMs()) ? "-" : MillisText.of(row.medianMs()),
            Double.isNaN(row.medianMs())
                ? "-"
                : MillisText.of(row.lowerMs()) + " to " + MillisText.of(row.upperMs()),
            "" + one.workspaceBytes(),
            row.skipped().isEmpty() ? one.name() : row.skipped()
          });
    }
    return String.format(
            Locale.ROOT,
            "%s on %s: %d candidates, %d repetitions, bound %s each, in %.2f s%n",
            shape(),
            on,
            rows.size(),
            options.repetitions(),
            options.boundInWords(),
            wall.toNanos() / 1e9)
        + aligned(cells)
        + asFastInWords();
  }

  private String asFastInWords() {
    int others = asFast() - 1;
    return others == 0
        ? ""
        : "* is the fastest, and "
            + others
            + (others == 1 ? " other is" : " others are")
            + " as fast within the spread\n";
  }

  private static String aligned(List<String[]> cells) {
    int[] widths = new int[cells.get(0).length];
    for (String[] row : cells) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : cells) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        boolean number = i > 0 && i < row.length - 1;
        String pad = " ".repeat(widths[i] - row[i].length());
        line.append(i == 0 ? "" : "  ").append(number ? pad + row[i] : row[i] + pad);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
