package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TuneTest {
  private Backend backend;
  private Stream stream;
  private Matrix a;
  private Matrix b;
  private Matrix c;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    Device device = backend.device(0);
    stream = device.stream();
    a = device.matrix(DType.BF16, 16, 16, Integers.random(256, 2, 1));
    b = device.matrix(DType.BF16, 16, 16, Integers.random(256, 2, 2));
    c = device.matrix(DType.BF16, 16, 16, Integers.random(256, 2, 3));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void measuresCandidatesKeepsOneAndLeavesC() {
    int[] before = c.ints();
    List<Candidate> offered = stream.heuristics(Gemm.NT, a, b, 4, 32L << 20);
    List<Tuned> table = stream.tune(Gemm.NT, a, b, c, 4, 3);
    assertThat(table).isNotEmpty().hasSizeLessThanOrEqualTo(4);
    assertThat(table).filteredOn(Tuned::chosen).hasSize(1);
    for (int i = 0; i < table.size(); i++) {
      Tuned tuned = table.get(i);
      assertThat(tuned.candidate()).isEqualTo(offered.get(i));
      assertThat(tuned.candidate().shape()).isEqualTo("bf16 16x16x16 NT");
      assertThat(tuned.skipped()).isEmpty();
      assertThat(tuned.medianMs()).isGreaterThanOrEqualTo(0);
    }
    Tuned best = table.stream().filter(Tuned::chosen).findFirst().orElseThrow();
    assertThat(table).allMatch(tuned -> best.medianMs() <= tuned.medianMs());
    assertThat(c.ints()).containsExactly(before);
    stream.gemm(Gemm.NT, a, b, c);
    assertThat(c.ints())
        .containsExactly(
            Integers.gemm(false, true, 1, 16, 16, 16, 1, a.floats(), b.floats(), 0, null));
  }

  @Test
  void misuseIsNamed() {
    assertThatThrownBy(() -> stream.tune(Gemm.NT, a, b, c, 0, 3))
        .isInstanceOf(HiplabException.class)
        .hasMessageStartingWith("tune on stream 1 of device 0: ")
        .hasMessageContaining("requested is 0");
    assertThatThrownBy(() -> stream.tune(Gemm.NT, a, b, c, 4, 0))
        .hasMessageContaining("repetitions is 0");
    assertThatThrownBy(() -> stream.tune(Gemm.NT, a, b, a, 4, 3))
        .hasMessageContaining("another matrix");
    assertThatThrownBy(() -> stream.tune(null, a, b, c, 4, 3)).hasMessageContaining("needs a Gemm");
    stream.beginCapture(CaptureMode.THREAD_LOCAL);
    assertThatThrownBy(() -> stream.tune(Gemm.NT, a, b, c, 4, 3))
        .hasMessageContaining("tune before the capture begins");
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.ACTIVE);
    stream.endCapture().close();
  }

  @Test
  void aSkippedCandidateTellsWhy() {
    List<Tuned> table =
        Tuning.read(
            "x",
            "0 64 1 -1 - -1 0 0 0 no workspace of 64 bytes\n1 0 0.5 7 MT64 1.5e-05 1e-05 2e-05 1 \n");
    assertThat(table)
        .containsExactly(
            Tuned.skipped(new Candidate("x", 0, 64, 1, -1, ""), "no workspace of 64 bytes"),
            new Tuned(new Candidate("x", 1, 0, 0.5f, 7, "MT64"), 1.5e-5, 1e-5, 2e-5, true, ""));
    assertThatThrownBy(() -> Tuning.read("x", "0 64\n")).hasMessageContaining("\"0 64\"");
  }
}
