package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CandidatesTest {
  private static final long CAP = 32L << 20;

  private Backend backend;
  private Device device;
  private Stream stream;
  private Matrix a;
  private Matrix b;
  private Matrix c;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    device = backend.device(0);
    stream = device.stream();
    a = device.matrix(DType.BF16, 32, 64, Integers.random(32 * 64, 2, 1));
    b = device.matrix(DType.BF16, 48, 64, Integers.random(48 * 64, 2, 2));
    c = device.empty(DType.BF16, 32, 48);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private Candidates candidates(int requested) {
    return device.candidates(Gemm.NT, DType.BF16, 1, 32, 48, 64, requested, CAP);
  }

  @Test
  void eachComputesTheProduct() {
    int[] product = Integers.gemm(false, true, 1, 32, 48, 64, 1, a.floats(), b.floats(), 0, null);
    try (Candidates candidates = candidates(8)) {
      List<Candidate> list = candidates.list();
      assertThat(list).isEqualTo(stream.heuristics(Gemm.NT, a, b, 8, CAP)).hasSize(8);
      assertThat(list).extracting(Candidate::solution).doesNotHaveDuplicates();
      assertThat(list.get(0).name()).isEqualTo("bf16_MT64x64_SK4");
      assertThat(list.get(0).workspaceBytes()).isEqualTo(4L * 32 * 48 * 4);
      for (Candidate candidate : list) {
        stream.poison(c);
        stream.gemm(candidates, candidate.index(), a, b, c);
        assertThat(c.ints()).as(candidate.name()).containsExactly(product);
      }
    }
  }

  @Test
  void misuseIsNamed() {
    Candidates candidates = candidates(4);
    assertThatThrownBy(() -> stream.gemm(candidates, 4, a, b, c))
        .hasMessageEndingWith("candidate 4 was asked for, allowed are 0 to 3");
    Matrix square = device.empty(DType.BF16, 48, 48);
    assertThatThrownBy(() -> stream.gemm(candidates, 0, b, b, square))
        .hasMessage(
            "gemm: Candidates of bf16 32x48x64 NT do not fit a GEMM of bf16 48x48x64 NT; ask for"
                + " candidates of that one");
    candidates.close();
    assertThatThrownBy(() -> stream.gemm(candidates, 0, a, b, c))
        .hasMessageContaining("is closed; make a new one");
    assertThat(candidates).hasToString("Candidates of bf16 32x48x64 NT: 4 (closed)");
    assertThatThrownBy(() -> candidates(0))
        .hasMessageStartingWith("candidates needs at least 1 candidate");
  }
}
