package dev.hiplab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bf16 1x4096x4096 NT    | bf16 TN [4096,1]x4096
          bf16 512x11008x4096 NT | bf16 TN [11008,512]x4096
          f32 256x256x256 NN     | f32 NN 256x256x256
          f16 3x5x7 NN           | f16 NN 5x3x7
          f32 3x5x7 TN           | f32 NT 5x3x7
          f32 2x3x5x7 TT         | f32 TT 2x[5,3]x7
          bf16 4x64x32x16 NT     | bf16 TN 4x[32,64]x16
          """)
  void oursAndBlassAreTwoTextsOfOneProblem(String ours, String blas) {
    Problem problem = Problem.of(ours);
    assertThat(problem.label()).isEqualTo(ours);
    assertThat(problem.blasText()).isEqualTo(blas);
    assertThat(Problem.of(blas)).isEqualTo(problem);
    assertThat(Problem.of("  " + ours.replace(" ", "  "))).isEqualTo(problem);
  }

  @Test
  void theColumnMajorViewHasTheLibrarysSizes() {
    Problem problem = Problem.of("bf16 4x10x20x30 NT");
    assertThat(problem).isEqualTo(new Problem(DType.BF16, Gemm.NT.withBeta(2), 4, 10, 20, 30));
    ColumnMajor blas = problem.columnMajor();
    assertThat(blas).isEqualTo(new ColumnMajor(true, false, 20, 10, 30, 4));
    assertThat(blas.transposes()).isEqualTo("TN");
    // A is stored k x m, B k x n: a column of each has k elements.
    assertThat(new int[] {blas.lda(), blas.ldb(), blas.ldc()}).containsExactly(30, 30, 20);
    assertThat(blas.strideA()).isEqualTo(600);
    assertThat(blas.strideB()).isEqualTo(300);
    assertThat(blas.strideC()).isEqualTo(200);
    ColumnMajor plain = Problem.of("f32 10x20x30 NN").columnMajor();
    assertThat(new int[] {plain.lda(), plain.ldb(), plain.ldc()}).containsExactly(20, 30, 20);
    assertThat(Problem.of("f32 10x20x30 TN").columnMajor().ldb()).isEqualTo(10);
    assertThat(problem.multiplyAdds()).isEqualTo(24000);
    assertThat(Problem.of("bf16 64x64x1048576 NT").multiplyAdds()).isEqualTo(1L << 32);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bf16 64x64x64         | has 2 words where three are needed
          f64 64x64x64 NT       | has no element type 'f64'; there are [f32, f16, bf16, f8]
          bf16 64x64x64 XT      | has no transposes
          bf16 NT TN            | has transposes twice
          bf16 64x64 NT         | has sizes '64x64' that are not m, n and k
          bf16 1x2x3x4x5 NT     | has sizes '1x2x3x4x5'
          bf16 64x0x64 NT       | has the size '0'
          bf16 64x-1x64 NT      | has the size '-1'
          bf16 64x99999999999x64 NT | has the size '99999999999', which is no number from 1 to
          bf16 TN [64,64]       | has sizes '[64,64]'
          bf16 TN [64,b]x64     | has the size 'b'
          """)
  void aTextThatIsNoneIsNamedWithWhatIsWrongAndAllowed(String text, String wrong) {
    assertThatThrownBy(() -> Problem.of(text))
        .isInstanceOf(HiplabException.class)
        .hasMessageStartingWith("the shape '" + text + "' ")
        .hasMessageContaining(wrong)
        .hasMessageContaining("\"bf16 1x4096x4096 NT\"")
        .hasMessageContaining("\"bf16 TN [4096,1]x4096\"");
    assertThatThrownBy(() -> Problem.of(null)).hasMessageStartingWith("the shape is null; write");
  }

  @Test
  void theSurveyHasItsFifteenShapes() {
    assertThat(SurveyShapes.all()).hasSize(15).doesNotHaveDuplicates();
    assertThat(SurveyShapes.all().stream().map(Problem::blasText))
        .startsWith("bf16 TN [4096,1]x4096", "bf16 TN [11008,1]x4096")
        .contains("bf16 TN [11008,512]x4096", "bf16 TN [64,64]x1048576")
        .endsWith("f32 NN 256x256x256", "f32 NN 1024x1024x1024", "f32 NN 2048x2048x2048");
  }
}
