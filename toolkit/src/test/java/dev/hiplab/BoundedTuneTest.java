package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class BoundedTuneTest {
  // Never reached by a small GEMM, however busy the machine is.
  private static final TuneOptions PATIENT =
      TuneOptions.DEFAULTS.withBound(Duration.ofMinutes(1)).withRepetitions(3).withCandidates(4);

  private Backend backend;
  private Device device;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    device = backend.device(0);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private void drained() throws InterruptedException {
    while (device.trackerState().draining() != 0 || device.trackerState().pinnedBytes() != 0) {
      Thread.sleep(1);
    }
  }

  @Test
  void everyCandidateIsMeasuredAndTheFastestIsKept() {
    TuneResult result = Gemm.NT.tune(device, DType.BF16, 32, 48, 256, PATIENT);
    List<Candidate> offered;
    try (Candidates candidates =
        device.candidates(Gemm.NT, DType.BF16, 1, 32, 48, 256, 4, TuneOptions.MOST_CAP)) {
      offered = candidates.list();
    }
    assertThat(result.rows()).extracting(Tuned::candidate).isEqualTo(offered);
    assertThat(result.rows()).filteredOn(Tuned::chosen).containsExactly(result.chosen());
    assertThat(result.rows())
        .allMatch(row -> row.skipped().isEmpty())
        .allMatch(row -> result.chosen().medianMs() <= row.medianMs())
        .allMatch(row -> row.lowerMs() <= row.medianMs() && row.medianMs() <= row.upperMs());
    assertThat(result.asFast()).isBetween(1, result.rows().size());
    assertThat(result.shape()).isEqualTo("bf16 32x48x256 NT");
    assertThat(result.on().hipblaslt()).isEqualTo(backend.info().get("version.hipblaslt"));
    assertThat(result.device()).isEqualTo(device.toString());
    Winner winner = result.winner();
    assertThat(winner.solution()).isEqualTo(result.chosen().candidate().solution());
    assertThat(winner.medianMs()).isEqualTo(result.chosen().medianMs());
    assertThat(winner.candidates()).isEqualTo(4);
    assertThat(result.toString())
        .startsWith("bf16 32x48x256 NT on hiplab software device (profile splitk), hipBLASLt ")
        .contains(": 4 candidates, 3 repetitions, bound 60000 ms each, in ")
        .contains("median ms")
        .containsPattern("(?m)^\\* +\\d ")
        .contains(result.chosen().candidate().name());
  }

  @Test
  void aBatchAndTransposesAreTuned() {
    TuneResult result = Gemm.TN.tune(device, DType.F16, 16, 24, 32, PATIENT.withBatch(3));
    assertThat(result.shape()).isEqualTo("f16 3x16x24x32 TN");
    assertThat(result.winner().shape()).isEqualTo("f16 3x16x24x32 TN");
  }

  /** A millisecond for GEMMs that take many: all are abandoned, and come back later. */
  @Test
  void whatOverrunsIsAbandonedAndTold() throws InterruptedException {
    TuneOptions hasty = PATIENT.withBound(Duration.ofMillis(1)).withCandidates(2);
    assertThatThrownBy(() -> Gemm.NT.tune(device, DType.BF16, 1024, 1024, 2048, hasty))
        .isInstanceOf(HiplabException.class)
        .hasMessage(
            "tune of bf16 1024x1024x2048 NT on device 0: none of 2 candidates could be measured"
                + " within the bound of 1 ms each; the first: over its bound of 1 ms: abandoned in"
                + " its warm-up: raise the bound, or ask for fewer repetitions than 3");
    drained();
    assertThat(device.trackerState().acquired()).isZero();
    assertThat(Gemm.NT.tune(device, DType.BF16, 16, 16, 16, PATIENT).rows()).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aCaptureOnAnotherThreadGoesOn(CaptureMode mode) throws InterruptedException {
    Matrix a = device.matrix(DType.BF16, 16, 16, Integers.random(256, 2, 1));
    Matrix c = device.empty(DType.BF16, 16, 16);
    Stream stream = device.stream();
    stream.gemm(Gemm.NT, a, a, c); // hipBLASLt's handle
    stream.synchronize();
    int[] product = c.ints();
    stream.beginCapture(mode);
    stream.poison(c);
    AtomicReference<Object> told = new AtomicReference<>();
    Thread tuning =
        new Thread(
            () -> {
              try {
                told.set(Gemm.NT.tune(device, DType.BF16, 64, 64, 256, PATIENT));
              } catch (HiplabException e) {
                told.set(e);
              }
            });
    tuning.start();
    tuning.join();
    assertThat(told.get()).isInstanceOf(TuneResult.class);
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.ACTIVE);
    stream.gemm(Gemm.NT, a, a, c);
    try (Graph graph = stream.endCapture()) {
      graph.launch(stream);
      assertThat(c.ints()).containsExactly(product);
    }
  }

  @Test
  void noHandleIsMadeBesideACapture() {
    Stream stream = device.stream();
    stream.beginCapture(CaptureMode.RELAXED);
    assertThatThrownBy(() -> Gemm.NT.tune(device, DType.BF16, 16, 16, 16, PATIENT))
        .hasMessageContaining("creating one would end the capture of another stream")
        .hasMessageEndingWith("or run one GEMM of the type before the capture begins");
    stream.endCapture().close();
    assertThat(Gemm.NT.tune(device, DType.BF16, 16, 16, 16, PATIENT).rows()).isNotEmpty();
  }

  @Test
  void anInterruptIsHeeded() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> Gemm.NT.tune(device, DType.BF16, 16, 16, 16, PATIENT))
          .hasMessage(
              "tune of bf16 16x16x16 NT on device 0: interrupted after 0 candidates; no winner was"
                  + " kept");
    } finally {
      assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }
  }

  @Test
  void misuseIsNamed() {
    assertThatThrownBy(() -> PATIENT.withCandidates(0))
        .hasMessage("tune: candidates is 0, allowed are 1 to 1024");
    assertThatThrownBy(() -> PATIENT.withRepetitions(10_001))
        .hasMessage("tune: repetitions is 10001, allowed are 1 to 10000");
    assertThatThrownBy(() -> PATIENT.withBound(Duration.ZERO))
        .hasMessage("tune: the bound is PT0S, allowed are PT0.000001S to PT1H");
    assertThatThrownBy(() -> PATIENT.withCapBytes(-1))
        .hasMessage("tune: the workspace cap in bytes is -1, allowed are 0 to 33554432");
    assertThatThrownBy(() -> PATIENT.withBatch(0)).hasMessageContaining("batch is 0");
    assertThatThrownBy(() -> Gemm.NT.tune(device, DType.BF16, 0, 16, 16, PATIENT))
        .hasMessageContaining("tune needs sizes of at least 1, not m 0");
    assertThatThrownBy(() -> Gemm.NN.tune(device, DType.F32, 16, 16, 16, PATIENT))
        .hasMessage(
            "tune of f32 16x16x16 NN on device 0: GEMMs of f32 take rocBLAS in this backend"
                + " (mlxcel 2200), so that a tuned algorithm of hipBLASLt would never be used;"
                + " allowed are bf16, f16 and, with transposes NT, f8");
    Matrix a = device.empty(DType.F32, 16, 16);
    Matrix c = device.empty(DType.F32, 16, 16);
    try (Stream stream = device.stream()) {
      assertThatThrownBy(() -> stream.tune(Gemm.NN, a, a, c, 1, 1))
          .hasMessageContaining("tune: GEMMs of f32 take rocBLAS in this backend (mlxcel 2200)");
    }
    assertThatThrownBy(() -> Gemm.NN.tune(null, DType.BF16, 1, 1, 1))
        .hasMessage("tune needs a device, not null");
  }
}
