package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Gemm;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * mlxcel 2206, a property of the device: gfx11 matrix instructions do not add opposite-sign terms
 * the IEEE way, and leave a residue at outputs that are exactly zero.
 *
 * <p>bf16 TN 64x64x64 as BLAS counts it (row-major A·Bᵀ): every row of A is one pattern of the
 * source, B is all ones, so that each output is the sum of the row. Measured there through the
 * libraries: [1, -1, 0, ...] leaves -2^-24 at 4,096 of 4,096 outputs, [2, -2, 0, ...] -2^-23; [2,
 * 0, ...], {-2, -1, 1, 2} and -1..1 over and over are exact. The other rows are those of one
 * instruction. An error of more than 2 K u sum|a b|, u = 2^-24, is no residue.
 *
 * <p>Counters, a row each: {@code off.<row>} outputs that are not exact, {@code residue.<row>} the
 * largest error in units of 2^-26.
 */
public final class NumericsResidue extends SourcedScenario {
  private static final int SIDE = 64;
  private static final double UNIT = 0x1p-26;

  /** A row begins with its terms; the rest is zero, or the terms over and over. */
  private record Row(boolean repeated, float... terms) {
    String text() {
      String text = Arrays.toString(terms).replace(".0", "").replace(" ", "");
      return repeated ? text + "*" : text;
    }

    float at(int k) {
      return repeated ? terms[k % terms.length] : k < terms.length ? terms[k] : 0;
    }
  }

  private static final List<Row> ROWS =
      List.of(
          new Row(false, 1, -1),
          new Row(false, -1, 1),
          new Row(false, 2, -2),
          new Row(false, 8, -8),
          new Row(false, 0.5f, -0.5f),
          new Row(false, 2, -1, -1),
          new Row(false, 1, 2, -3),
          new Row(false, 1, -1, 1, -1),
          new Row(false, 2),
          new Row(true, -2, -1, 1, 2),
          new Row(true, -1, 0, 1));

  public NumericsResidue() {
    super(
        "numerics.residue",
        "mlxcel 2206",
        "bf16 sums of opposite signs whose exact value is zero",
        "Terms of opposite sign leave a residue at exact zeros on gfx11, within the error bound.");
  }

  @Override
  public String needs() {
    return "any device; on profile gfx1151 the software device, which adds the IEEE way, says"
        + " NOT_APPLICABLE";
  }

  @Override
  public List<Form> forms() {
    return List.of(
        new Form("DEVICE", Map.of(), Set.of(Outcome.EXACT, Outcome.WITHIN_BOUND), Set.of()));
  }

  @Override
  public Finding run(Trial trial) {
    Device device = trial.backend().device(0);
    Map<String, Long> counters = new TreeMap<>();
    List<String> residues = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    float[] ones = new float[SIDE * SIDE];
    Arrays.fill(ones, 1);
    try (Stream stream = device.stream();
        Matrix b = device.matrix(DType.BF16, SIDE, SIDE, ones)) {
      for (Row row : ROWS) {
        look(row, outputs(device, stream, row, b), counters, residues, wrong);
      }
    }
    counters.putAll(trial.backend().counters());
    counters.put("rows", (long) ROWS.size());
    counters.put("rows.with-residue", (long) residues.size());
    if (!wrong.isEmpty()) {
      return new Finding(Outcome.WRONG_RESULT, String.join("; ", wrong), counters, Double.NaN);
    }
    String arch = device.info().getOrDefault("arch", "");
    boolean software = trial.info().get("provider").equals("host");
    if (residues.isEmpty() && software && arch.startsWith("gfx11")) {
      return Finding.notApplicable(
          "this software device adds the IEEE way: all "
              + ROWS.size()
              + " rows are exact, where a real "
              + arch
              + " leaves residues",
          counters);
    }
    return residues.isEmpty()
        ? new Finding(Outcome.EXACT, "", counters, Double.NaN)
        : new Finding(Outcome.WITHIN_BOUND, String.join("; ", residues), counters, Double.NaN);
  }

  private static float[] outputs(Device device, Stream stream, Row row, Matrix b) {
    float[] values = new float[SIDE * SIDE];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.at(i % SIDE);
    }
    try (Matrix a = device.matrix(DType.BF16, SIDE, SIDE, values);
        Matrix c = device.empty(DType.BF16, SIDE, SIDE)) {
      stream.poison(c);
      stream.gemm(Gemm.NT, a, b, c);
      stream.synchronize();
      return c.floats();
    }
  }

  private static void look(
      Row row,
      float[] outputs,
      Map<String, Long> counters,
      List<String> residues,
      List<String> wrong) {
    double exact = 0;
    double magnitude = 0;
    for (int k = 0; k < SIDE; k++) {
      exact += row.at(k);
      magnitude += Math.abs(row.at(k));
    }
    long off = 0;
    double largest = 0;
    for (float output : outputs) {
      double error = output - exact;
      off += error != 0 ? 1 : 0; // NaN, the poison, too
      largest = Math.abs(error) > Math.abs(largest) || Double.isNaN(error) ? error : largest;
    }
    counters.put("off." + row.text(), off);
    counters.put("residue." + row.text(), Math.round(largest / UNIT));
    String told = row.text() + ": " + off + " of " + outputs.length + " off by " + largest;
    if (!(Math.abs(largest) <= 2.0 * SIDE * 0x1p-24 * magnitude)) {
      wrong.add(told);
    } else if (off > 0) {
      residues.add(told);
    }
  }
}
