package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.report.ResidueTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import tech.tablesaw.api.Table;

/** The probes of mlxcel 2206: on a device that adds the IEEE way, and what other outputs say. */
class ResidueTest {
  /** A row as a device would give it whose outputs all have that error. */
  private static ResidueRow row(DType type, ResiduePattern pattern, double error) {
    float[] outputs = new float[64 * 64];
    Arrays.fill(outputs, (float) (pattern.sum() + error));
    return ResidueRow.of(type, pattern, outputs);
  }

  private static Residue of(DType type, ToDoubleFunction<ResiduePattern> error) {
    List<ResidueRow> rows = new ArrayList<>();
    ResiduePattern.TABLE.forEach(p -> rows.add(row(type, p, error.applyAsDouble(p))));
    return new Residue("a device", rows);
  }

  @Test
  void theDeviceOfSplitkAddsTheIeeeWay() {
    try (Backend backend = HostBackend.open()) {
      Residue residue = Residue.of(backend.device(0));
      assertThat(residue.types()).containsExactly(DType.BF16, DType.F16);
      assertThat(residue.rows()).hasSize(24).allMatch(row -> row.outputs() == 4096);
      assertThat(residue.addsIeee(DType.BF16)).as(residue.toString()).isTrue();
      assertThat(residue.sums(DType.F16)).isEqualTo(Residue.Sums.IEEE);
      assertThat(residue.toString())
          .contains("profile splitk")
          .contains("bf16: all 12 rows are exact, as IEEE sums are; f16: all 12");
      assertThatThrownBy(() -> Residue.of(backend.device(0), new DType[0]))
          .hasMessage("residue needs at least one element type: bf16, f16 or both");
      assertThatThrownBy(() -> residue.sums(DType.F32))
          .hasMessage("f32 was not probed; probed were [bf16, f16]");
    }
  }

  @Test
  void besideAnotherBackendItLeavesNothingAndCountsNothing() {
    try (Backend backend = Backend.open(HostBackend.options().withCountCalls(true))) {
      backend.device(0).matrix(DType.F32, 1, 1, 2);
      var before = backend.counters();
      assertThat(Residue.beside(backend.options(), 0, DType.BF16).addsIeee(DType.BF16)).isTrue();
      assertThat(backend.counters()).isEqualTo(before);
    }
  }

  @Test
  void theTableHasARowAPatternAndTellsGfx11s() {
    Residue gfx11 = of(DType.BF16, pattern -> pattern.gfx11(DType.BF16));
    Table table = ResidueTable.of(gfx11);
    assertThat(table.rowCount()).isEqualTo(12);
    assertThat(table.stringColumn("row of A").get(5)).isEqualTo("[2,-1,-1]");
    assertThat(table.stringColumn("largest error").get(5)).isEqualTo("-3*2^-24");
    assertThat(table.doubleColumn("in 2^-26").getDouble(5)).isEqualTo(-12);
    Table ieee = ResidueTable.of(of(DType.BF16, pattern -> 0));
    assertThat(ieee.stringColumn("largest error").get(5)).isEqualTo("0");
    assertThat(ieee.stringColumn("on gfx11").get(5)).isEqualTo("-3*2^-24");
  }

  @Test
  void everyRowMustBeAsInTheTable() {
    Residue gfx11 = of(DType.BF16, pattern -> pattern.gfx11(DType.BF16));
    assertThat(gfx11.sums(DType.BF16)).isEqualTo(Residue.Sums.GFX11);
    assertThat(gfx11.addsIeee(DType.BF16)).isFalse();
    assertThat(gfx11.text()).startsWith("bf16: 7 of 12 rows leave a residue, each that of gfx11");
    assertThat(of(DType.BF16, pattern -> 0).sums(DType.BF16)).isEqualTo(Residue.Sums.IEEE);
    Residue doubled = of(DType.BF16, pattern -> 2 * pattern.gfx11());
    assertThat(doubled.sums(DType.BF16)).isEqualTo(Residue.Sums.OTHER);
    assertThat(doubled.text()).contains("7 of 12 rows are off, and not as on gfx11");
    ResiduePattern last = ResiduePattern.TABLE.get(11);
    Residue oneMore =
        of(DType.BF16, pattern -> pattern.equals(last) ? 0x1p-7 : pattern.gfx11(DType.BF16));
    assertThat(oneMore.sums(DType.BF16)).isEqualTo(Residue.Sums.OTHER);
  }

  /** -2^-25 is half of f16's smallest step, and even is zero. */
  @Test
  void f16LosesTheSmallestResidueOfTheTable() {
    Residue f16 = of(DType.F16, pattern -> pattern.gfx11(DType.F16));
    assertThat(f16.sums(DType.F16)).isEqualTo(Residue.Sums.GFX11);
    assertThat(f16.rows()).filteredOn(row -> !row.isExact()).hasSize(6);
    assertThat(f16.rows().get(4).pattern()).isEqualTo("[0.5,-0.5]");
    assertThat(f16.rows().get(4).isExact()).isTrue();
  }

  @Test
  void errorsAreToldAsPowersOfTwoAndJudgedByTheBound() {
    ResiduePattern pair = ResiduePattern.TABLE.get(0);
    assertThat(row(DType.BF16, pair, -0x1p-24))
        .hasToString("bf16 [1,-1]: 4096 of 4096 off by -2^-24");
    assertThat(row(DType.BF16, pair, -3 * 0x1p-24).errorText()).isEqualTo("-3*2^-24");
    assertThat(row(DType.BF16, pair, 5).errorText()).isEqualTo("5*2^0");
    assertThat(row(DType.BF16, pair, 0)).hasToString("bf16 [1,-1]: exact");
    assertThat(row(DType.BF16, pair, 0x1p-16).isWithinBound()).isTrue(); // 2 * 64 * 2^-24 * 2
    assertThat(row(DType.BF16, pair, 0x1p-15).isWithinBound()).isFalse();
    assertThat(row(DType.BF16, pair, Double.NaN).isWithinBound()).isFalse();
  }

  /** One output that is right among wrong ones, or not written, is not gfx11's row. */
  @Test
  void allOutputsOfARowMustAgree() {
    ResiduePattern pair = ResiduePattern.TABLE.get(0);
    for (float other : new float[] {0, Float.NaN}) {
      float[] outputs = new float[4096];
      Arrays.fill(outputs, -0x1p-24f);
      outputs[4095] = other;
      ResidueRow row = ResidueRow.of(DType.BF16, pair, outputs);
      assertThat(row.isLikeGfx11()).isFalse();
      assertThat(row.isExact()).isFalse();
    }
  }
}
