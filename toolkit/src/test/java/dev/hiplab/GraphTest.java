package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GraphTest {
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
    a = device.matrix(DType.F32, 1, 2, 1, 2);
    b = device.matrix(DType.F32, 2, 1, 3, 4);
    c = device.empty(DType.F32, 1, 1);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private static HiplabException thrown(Runnable call) {
    return catchThrowableOfType(call::run, HiplabException.class);
  }

  private Graph capturedGemm() {
    stream.gemm(Gemm.NN, a, b, c);
    stream.synchronize();
    stream.beginCapture(CaptureMode.THREAD_LOCAL);
    stream.gemm(Gemm.NN, a, b, c);
    return stream.endCapture();
  }

  /** The example of Graph's own page. */
  @Test
  void theExample() {
    stream.gemm(Gemm.NN, a, b, c); // once outside: handles and workspace are made here
    stream.synchronize();
    stream.beginCapture(CaptureMode.THREAD_LOCAL);
    stream.gemm(Gemm.NN, a, b, c); // nothing runs yet
    try (Graph graph = stream.endCapture()) {
      graph.launch(stream);
      assertThat(c.toString()).endsWith("[1, 1] f32\n  11");
    }
  }

  @ParameterizedTest
  @EnumSource(CaptureMode.class)
  void nothingRunsBeforeTheLaunch(CaptureMode mode) {
    stream.gemm(Gemm.NN, a, b, c);
    stream.poison(c);
    stream.synchronize();
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.NONE);
    stream.beginCapture(mode);
    stream.gemm(Gemm.NN, a, b, c);
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.ACTIVE);
    try (Graph graph = stream.endCapture()) {
      assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.NONE);
      assertThat(c.floats()).containsExactly(Float.NaN);
      assertThat(graph.matrices()).containsExactly(a, b, c);
      graph.launch(stream);
      assertThat(c.ints()).containsExactly(11);
    }
  }

  @Test
  void aReadWaitsForTheStreamThatLaunched() {
    try (Graph graph = capturedGemm();
        Stream other = device.stream()) {
      assertThat(c.writer()).isSameAs(stream);
      for (int round = 0; round < 3; round++) {
        other.poison(a);
        other.poison(c);
        other.gemm(Gemm.NT, b, b, device.empty(DType.F32, 2, 2));
        graph.launch(other);
        assertThat(c.writer()).isSameAs(other);
        assertThat(b.writer()).isNull();
        assertThat(c.floats()).containsExactly(Float.NaN);
      }
    }
  }

  @Test
  void itOutlivesItsStream() {
    try (Graph graph = capturedGemm()) {
      stream.close();
      try (Stream other = device.stream()) {
        other.poison(c);
        graph.launch(other);
        assertThat(c.ints()).containsExactly(11);
      }
    }
  }

  @Test
  void aClosedMatrixIsNamedAndNothingIsEnqueued() {
    try (Graph graph = capturedGemm()) {
      stream.poison(c);
      b.close();
      assertThat(thrown(() -> graph.launch(stream)))
          .hasMessageStartingWith(
              "launch of Graph 1 on stream " + stream.id() + " of device 0: Matrix " + b.id())
          .hasMessageContaining("[2, 1] f32, which it was captured with, is closed; keep");
      assertThat(c.floats()).containsExactly(Float.NaN);
    }
  }

  /** A matrix that only the graph knows is not freed under it. */
  @Test
  void aForgottenMatrixStays() {
    Graph graph = captureOfForgotten();
    for (int i = 0; i < 3; i++) {
      System.gc();
      graph.launch(stream);
    }
    assertThat(graph.matrices().get(0).floats()).containsOnly(Float.NaN);
    assertThat(backend.forgotten()).isZero();
  }

  private Graph captureOfForgotten() {
    Matrix forgotten = device.empty(DType.F32, 2, 2);
    stream.beginCapture(CaptureMode.GLOBAL);
    stream.poison(forgotten);
    return stream.endCapture();
  }

  @Test
  void aSpoiltCaptureEndsWithAnErrorThatNamesTheStatus() {
    stream.beginCapture(CaptureMode.GLOBAL);
    HiplabException refused = thrown(stream::synchronize);
    assertThat(refused.statusName()).isEqualTo("hipErrorStreamCaptureUnsupported");
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.INVALIDATED);
    HiplabException spoilt = thrown(stream::endCapture);
    assertThat(spoilt)
        .hasMessageStartingWith("endCapture on stream " + stream.id() + " of device 0: ")
        .hasMessageContaining("hipErrorStreamCaptureInvalidated");
    assertThat(spoilt.call()).isEqualTo("hipStreamEndCapture");
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.NONE);
    assertThat(stream.toString()).endsWith("(idle)");
    capturedGemm().close();
  }

  @Test
  void theWrongThreadDoesNotEndIt() throws InterruptedException {
    stream.beginCapture(CaptureMode.THREAD_LOCAL);
    HiplabException[] wrong = new HiplabException[1];
    Thread other = new Thread(() -> wrong[0] = thrown(stream::endCapture));
    other.start();
    other.join();
    assertThat(wrong[0].statusName()).isEqualTo("hipErrorStreamCaptureWrongThread");
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.ACTIVE);
    stream.poison(c);
    try (Graph graph = stream.endCapture()) {
      assertThat(graph.matrices()).containsExactly(c);
    }
  }

  @Test
  void misuseIsNamed() {
    assertThat(thrown(stream::endCapture)).hasMessageContaining("begin a capture first");
    assertThat(thrown(() -> stream.beginCapture(null))).hasMessageContaining("needs a mode");
    stream.beginCapture(CaptureMode.RELAXED);
    assertThat(thrown(() -> stream.beginCapture(CaptureMode.RELAXED)))
        .hasMessageContaining("capturing already");
    stream.poison(c);
    Graph graph = stream.endCapture();
    assertThat(graph.matrices()).containsExactly(c);
    assertThat(thrown(() -> graph.launch(null))).hasMessageContaining("needs a stream");
    try (Backend second = HostBackend.open()) {
      Stream elsewhere = second.device(0).stream();
      assertThat(thrown(() -> graph.launch(elsewhere))).hasMessageContaining("another backend");
    }
    assertThat(graph.toString()).isEqualTo("Graph 1 on device 0 (1 matrices)");
    graph.close();
    graph.close();
    assertThat(thrown(() -> graph.launch(stream))).hasMessageContaining("Graph 1 is closed");
    assertThat(graph.toString()).endsWith("(closed)");
  }

  /** A query of the stream would. */
  @Test
  void printingDoesNotSpoilACapture() {
    stream.gemm(Gemm.NN, a, b, c);
    stream.beginCapture(CaptureMode.GLOBAL);
    assertThat(stream.toString()).endsWith("(capturing)");
    assertThat(c.toString()).contains("pending");
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.ACTIVE);
    stream.poison(c);
    stream.endCapture().close();
  }

  @Test
  void aStreamThatWaitsForTheCaptureJoinsIt() {
    Stream joined = device.stream();
    Event fork = device.event();
    Event join = device.event();
    stream.beginCapture(CaptureMode.GLOBAL);
    stream.poison(a);
    stream.record(fork);
    joined.await(fork);
    assertThat(joined.captureStatus()).isEqualTo(CaptureStatus.ACTIVE);
    assertThat(thrown(joined::endCapture)).hasMessageContaining("joined a capture");
    joined.poison(c);
    joined.record(join);
    stream.await(join);
    Graph graph = stream.endCapture();
    assertThat(graph.matrices()).containsExactly(a, c);
    assertThat(joined.toString()).endsWith("(idle)");
    joined.poison(b); // runs: the capture is over here too
    assertThat(b.floats()).containsOnly(Float.NaN);
    graph.launch(joined);
    assertThat(c.floats()).containsExactly(Float.NaN);
  }

  @Test
  void closingTheStreamDiscardsItsCapture() {
    Stream other = device.stream();
    other.beginCapture(CaptureMode.THREAD_LOCAL);
    other.poison(c);
    other.close();
    assertThat(c.writer()).isNull();
    capturedGemm().close();
  }

  /** In a process of its own, as the fault is that of every later call. */
  @Test
  @Timeout(60)
  void uncheckedItRunsOnFreedMemoryWhichFaultsTheDevice() throws Exception {
    String folder = "-Dhiplab.nativeDir=" + NativeLibrary.folder();
    String[] told =
        NativeLibraryTest.output(NativeLibraryTest.startMain("dev.hiplab.GraphFaultProbe", folder))
            .split("\n");
    assertThat(told[0]).startsWith("checked: launch of Graph 1 on stream 1").contains("is closed");
    assertThat(told).contains("unchecked: hipErrorIllegalAddress").doesNotContain("no fault");
  }
}
