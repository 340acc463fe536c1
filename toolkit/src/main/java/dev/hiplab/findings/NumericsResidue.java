package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Residue;
import dev.hiplab.ResidueRow;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * mlxcel 2206, a property of the device: gfx11 matrix instructions do not add opposite-sign terms
 * the IEEE way, and leave a residue at outputs that are exactly zero.
 *
 * <p>TN 64x64x64 as BLAS counts it (row-major A·Bᵀ), in bf16 and f16: every row of A is one pattern
 * of the source, B is all ones, so that each output is the sum of the row ({@link Residue}).
 * Measured there through the libraries, bf16: [1, -1, 0, ...] leaves -2^-24 at 4,096 of 4,096
 * outputs, [2, -2, 0, ...] -2^-23; [2, 0, ...], {-2, -1, 1, 2} and -1..1 over and over are exact.
 * The other rows are those of one instruction. An error of more than 2 K u sum|a b|, u = 2^-24, is
 * no residue.
 *
 * <p>Counters, a row each: {@code off.<row>} outputs that are not exact, {@code residue.<row>} the
 * largest error in units of 2^-26; f16's are {@code off.f16.<row>} and {@code residue.f16.<row>}.
 * {@code adds.ieee} and {@code adds.gfx11} count the types whose rows are all exact, and whose rows
 * are all as on gfx11.
 */
public final class NumericsResidue extends SourcedScenario {
  private static final double UNIT = 0x1p-26;

  public NumericsResidue() {
    super(
        "numerics.residue",
        "mlxcel 2206",
        "bf16 and f16 sums of opposite signs whose exact value is zero",
        "Terms of opposite sign leave a residue at exact zeros on gfx11, within the error bound.");
  }

  @Override
  public String needs() {
    return "any device; profile gfx1151 of the software device leaves the residues of gfx11, splitk"
        + " none";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        new Form("DEVICE", Map.of(), Set.of(Outcome.EXACT, Outcome.WITHIN_BOUND), Set.of()));
  }

  @Override
  public Finding run(Trial trial) {
    Residue residue = Residue.of(trial.backend().device(0));
    Map<String, Long> counters = new TreeMap<>(trial.backend().counters());
    for (ResidueRow row : residue.rows()) {
      String name = (row.type() == DType.BF16 ? "" : row.type() + ".") + row.pattern();
      counters.put("off." + name, (long) row.off());
      counters.put("residue." + name, Math.round(row.error() / UNIT));
    }
    List<ResidueRow> off = residue.rows().stream().filter(row -> !row.isExact()).toList();
    counters.put("rows", (long) residue.rows().size());
    counters.put("rows.with-residue", (long) off.size());
    counters.put("adds.ieee", count(residue, Residue.Sums.IEEE));
    counters.put("adds.gfx11", count(residue, Residue.Sums.GFX11));
    List<ResidueRow> wrong = off.stream().filter(row -> !row.isWithinBound()).toList();
    if (!wrong.isEmpty()) {
      return new Finding(Outcome.WRONG_RESULT, texts(wrong), counters, Double.NaN);
    }
    if (off.isEmpty()) {
      return new Finding(Outcome.EXACT, "", counters, Double.NaN);
    }
    boolean known = count(residue, Residue.Sums.OTHER) == 0;
    String detail = residue.text() + (known ? "" : ": " + texts(off));
    return new Finding(Outcome.WITHIN_BOUND, detail, counters, Double.NaN);
  }

  private static long count(Residue residue, Residue.Sums sums) {
    return residue.types().stream().filter(type -> residue.sums(type) == sums).count();
  }

  private static String texts(List<ResidueRow> rows) {
    return rows.stream().map(ResidueRow::toString).collect(Collectors.joining("; "));
  }
}
