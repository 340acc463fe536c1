package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GemmTest {
  private static Backend backend;
  private static Device device;
  private static Stream stream;

  @BeforeAll
  static void open() {
    backend = HostBackend.open();
    device = backend.device(0);
    stream = device.stream();
  }

  @AfterAll
  static void close() {
    backend.close();
  }

  static List<Arguments> cases() {
    List<Arguments> all = new ArrayList<>();
    for (DType dtype : DType.values()) {
      for (int batch : new int[] {1, 3}) {
        for (Gemm spec : specs(dtype)) {
          all.add(Arguments.of(dtype, batch, spec, 5, 7, 11));
        }
      }
      all.add(Arguments.of(dtype, 1, specs(dtype).get(0), 1, 1, 1));
      all.add(Arguments.of(dtype, 1, Gemm.NT, 64, 64, 64));
    }
    return all;
  }

  private static List<Gemm> specs(DType dtype) {
    return dtype == DType.F8 ? List.of(Gemm.NT) : List.of(Gemm.NN, Gemm.NT, Gemm.TN, Gemm.TT);
  }

  // Sums stay below 256, so that bf16 holds each of them exactly.
  @ParameterizedTest
  @MethodSource("cases")
  void equalsTheIntegerReference(DType dtype, int batch, Gemm spec, int m, int n, int k) {
    int range = k > 11 ? 1 : 2;
    float[] a = Integers.random(batch * m * k, range, 1);
    float[] b = Integers.random(batch * k * n, range, 2);
    float[] c = Integers.random(batch * m * n, 8, 3);
    try (Matrix left = operand(dtype, batch, m, k, spec.transA(), a);
        Matrix right = operand(dtype, batch, k, n, spec.transB(), b);
        Matrix product = stream.matmul(spec, left, right);
        Matrix sum = device.matrix(dtype.result(), batch, m, n, c)) {
      int[] expected = Integers.gemm(spec.transA(), spec.transB(), batch, m, n, k, 1, a, b, 0, c);
      assertThat(product.dtype()).isEqualTo(dtype == DType.F8 ? DType.BF16 : dtype);
      assertThat(product.ints()).containsExactly(expected);

      stream.gemm(spec.withAlpha(2).withBeta(-3), left, right, sum);
      expected = Integers.gemm(spec.transA(), spec.transB(), batch, m, n, k, 2, a, b, -3, c);
      assertThat(sum.ints()).containsExactly(expected);
    }
  }

  private static Matrix operand(
      DType dtype, int batch, int rows, int cols, boolean transposed, float[] values) {
    return transposed
        ? device.matrix(dtype, batch, cols, rows, values)
        : device.matrix(dtype, batch, rows, cols, values);
  }

  @Test
  void betaZeroDoesNotReadTheOutput() {
    try (Matrix a = device.matrix(DType.F32, 1, 2, 1, 2);
        Matrix b = device.matrix(DType.F32, 2, 1, 3, 4);
        Matrix c = device.empty(DType.F32, 1, 1)) {
      stream.poison(c);
      assertThat(c.floats()).containsExactly(Float.NaN);
      stream.gemm(Gemm.NN, a, b, c);
      assertThat(c.ints()).containsExactly(11);
    }
  }

  @Test
  void shapesThatDoNotFitAreNamedWithAWayOut() {
    try (Matrix a = device.matrix(DType.F32, 2, 3, 1, 2, 3, 4, 5, 6);
        Matrix b = device.matrix(DType.F32, 2, 3, 1, 2, 3, 4, 5, 6);
        Matrix odd = device.matrix(DType.F32, 1, 5, 1, 2, 3, 4, 5)) {
      assertThatThrownBy(() -> stream.matmul(a, b))
          .isInstanceOf(HiplabException.class)
          .hasMessage(
              "matmul needs a.cols == b.rows for Gemm.NN: a is [2, 3], b is [2, 3];"
                  + " transpose one with Gemm.NT");
      assertThatThrownBy(() -> stream.matmul(a, odd))
          .hasMessageEndingWith("no transpose makes them fit");
      assertThatThrownBy(() -> stream.gemm(Gemm.NT, a, b, odd))
          .hasMessage("gemm needs c of shape [2, 2], not [1, 5]");
    }
  }

  @Test
  void otherMisuseIsNamed() {
    try (Matrix a = device.matrix(DType.F32, 1, 1, 1);
        Matrix b = device.matrix(DType.BF16, 1, 1, 1);
        Matrix two = device.matrix(DType.F32, 2, 1, 1, new float[2])) {
      assertThatThrownBy(() -> stream.matmul(a, b)).hasMessageContaining("a is f32, b is bf16");
      assertThatThrownBy(() -> stream.matmul(a, two)).hasMessageContaining("one batch count");
      assertThatThrownBy(() -> stream.matmul(a, null)).hasMessageContaining("not null");
      assertThatThrownBy(() -> stream.gemm(Gemm.NN, a, a, a))
          .hasMessageContaining("another matrix");
      assertThatThrownBy(() -> stream.matmul(Gemm.NN.withBeta(1), a, a))
          .hasMessageContaining("beta must be 0, not 1.0");
    }
  }

  @Test
  void theResultOfF8IsBf16() {
    try (Matrix a = device.matrix(DType.F8, 1, 1, 16);
        Matrix f32 = device.empty(DType.F32, 1, 1);
        Matrix bf16 = device.empty(DType.BF16, 1, 1)) {
      assertThatThrownBy(() -> stream.gemm(Gemm.NN, a, a, a))
          .hasMessage("gemm needs c of f8 inputs in bf16, not f8");
      assertThatThrownBy(() -> stream.gemm(Gemm.NN, f32, f32, bf16))
          .hasMessage("gemm needs c in the inputs' element type f32, not bf16");
      assertThatThrownBy(() -> stream.gemm(Gemm.NN, a, a, bf16))
          .hasMessageContaining("GEMM of f8")
          .hasMessageContaining("allowed is A not transposed with B transposed");
      stream.gemm(Gemm.NT, a, a, bf16);
      assertThat(bf16.ints()).containsExactly(256);
      assertThat(stream.heuristics(Gemm.NT, a, a, 2, 32L << 20))
          .isNotEmpty()
          .allMatch(candidate -> candidate.shape().equals("f8 1x1x1 NT"));
      assertThat(stream.tune(Gemm.NT, a, a, bf16, 2, 1)).anyMatch(Tuned::chosen);
    }
  }

  @Test
  void matricesOfAnotherBackendAreRefused() {
    try (Backend other = HostBackend.open();
        Matrix here = device.matrix(DType.F32, 1, 1, 1);
        Matrix there = other.device(0).matrix(DType.F32, 1, 1, 1)) {
      assertThatThrownBy(() -> stream.matmul(here, there))
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("another backend");
    }
  }
}
