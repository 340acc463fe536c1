package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MatrixTest {
  private static Backend backend;
  private static Device device;

  @BeforeAll
  static void open() {
    backend = HostBackend.open();
    device = backend.device(0);
  }

  @AfterAll
  static void close() {
    backend.close();
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void integersComeBackExactly(DType dtype) {
    int most = dtype.exactInts();
    float[] values = {0, -1, 1, most, -most, most - 1};
    try (Matrix matrix = device.matrix(dtype, 2, 3, values)) {
      assertThat(matrix.floats()).containsExactly(values);
      assertThat(matrix.ints()).containsExactly(0, -1, 1, most, -most, most - 1);
      assertThat(matrix.rowsAsFloats())
          .isDeepEqualTo(new float[][] {{0, -1, 1}, {most, -most, most - 1}});
      assertThat(matrix.get(1, 1)).isEqualTo(-most);
      assertThat(matrix.bytes()).isEqualTo(6L * dtype.bytes());
    }
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, mode = EnumSource.Mode.EXCLUDE, names = "F8")
  void specialValuesComeBack(DType dtype) {
    float[] values = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0.0f};
    try (Matrix matrix = device.matrix(dtype, 1, 4, values)) {
      assertThat(matrix.floats()).containsExactly(values);
    }
  }

  @Test
  void f8HasNoInfinity() {
    float[] values = {Float.NaN, Float.POSITIVE_INFINITY, -449, -0.0f, 0x1p-9f, 0x1p-11f};
    try (Matrix matrix = device.matrix(DType.F8, 1, 6, values)) {
      assertThat(matrix.floats()).containsExactly(Float.NaN, 448, -448, -0.0f, 0x1p-9f, 0);
    }
  }

  @Test
  void roundsToNearestEven() {
    // Halfway between two neighbours: the even one wins.
    try (Matrix f8 = device.matrix(DType.F8, 1, 3, 17, 19, 17.1f);
        Matrix bf16 = device.matrix(DType.BF16, 1, 3, 257, 259, 256.9f);
        Matrix f16 = device.matrix(DType.F16, 1, 3, 2049, 2051, 65519)) {
      assertThat(f8.floats()).containsExactly(16, 20, 18);
      assertThat(bf16.floats()).containsExactly(256, 260, 256);
      assertThat(f16.floats()).containsExactly(2048, 2052, 65504);
    }
  }

  @Test
  void aBatchKeepsItsOrder() {
    float[] values = Integers.random(2 * 3 * 4, 9, 1);
    try (Matrix matrix = device.matrix(DType.F32, 2, 3, 4, values)) {
      assertThat(matrix.floats()).containsExactly(values);
      assertThat(matrix.shape()).isEqualTo("[2, 3, 4]");
      assertThat(matrix.rowsAsFloats()).hasDimensions(6, 4);
    }
  }

  @Test
  void intsNamesTheElementThatIsNone() {
    try (Matrix matrix =
        device.matrix(DType.F32, 2, 2, 2, new float[] {0, 1, 2, 3, 4, 0.5f, 6, 7})) {
      assertThatThrownBy(matrix::ints)
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("holds 0.5 at [1, 0, 1]")
          .hasMessageContaining("floats()");
    }
    try (Matrix matrix = device.matrix(DType.F32, 1, 1, 0x1p31f)) {
      assertThatThrownBy(matrix::ints).hasMessageContaining("at [0, 0]");
    }
  }

  @Test
  void wrongSizesAreNamed() {
    assertThatThrownBy(() -> device.matrix(DType.F32, 2, 3, 1, 2))
        .hasMessage("a matrix [2, 3] needs 6 values, not 2");
    assertThatThrownBy(() -> device.empty(DType.F32, 0, 3)).hasMessageContaining("[1, 0, 3]");
    assertThatThrownBy(() -> device.empty(DType.F32, 1 << 16, 1 << 16))
        .hasMessageContaining("2147483647");
    try (Matrix matrix = device.matrix(DType.F32, 1, 2, 1, 2)) {
      assertThatThrownBy(() -> matrix.get(0, 2)).hasMessageContaining("no element [0, 2]");
    }
  }

  @Test
  void printsItsShapeAndACorner() {
    try (Matrix small = device.matrix(DType.BF16, 2, 2, 1, -20, 0.5f, 4)) {
      assertThat(small.toString()).endsWith("[2, 2] bf16\n    1 -20\n  0.5   4");
    }
    try (Matrix large = device.matrix(DType.F32, 2, 20, 30, new float[1200])) {
      assertThat(large.toString()).contains("[2, 20, 30] f32, first of 2:").contains("0 ...");
      assertThat(large.toString().split("\n")).hasSize(8);
    }
  }

  @Test
  void aClosedMatrixSaysSo() {
    Matrix matrix = device.matrix(DType.F32, 1, 1, 7);
    matrix.close();
    matrix.close();
    assertThat(matrix.toString()).contains("closed");
    assertThatThrownBy(matrix::floats)
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("Matrix " + matrix.id() + " is closed");
  }
}
