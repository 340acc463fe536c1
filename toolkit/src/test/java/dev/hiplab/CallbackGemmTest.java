package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallbackGemmTest {
  private static final int N = 64;

  private Backend backend;
  private Device device;
  private Stream after;
  private Stream on;
  private Matrix a;
  private final float[] values = Integers.random(N * N, 1, 3);
  private final int[] square = Integers.gemm(false, false, 1, N, N, N, 1, values, values, 0, null);

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    device = backend.device(0);
    after = device.stream();
    on = device.stream();
    a = device.matrix(DType.BF16, N, N, values);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private static void assertStillWaits(CompletableFuture<Void> call) {
    assertThatThrownBy(() -> call.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void itIsEnqueuedWhenTheStreamComesBy() {
    Matrix c = device.empty(DType.BF16, N, N);
    on.poison(c);
    on.synchronize();
    HostGate gate = backend.hostGate();
    after.waitAt(gate);
    after.gemmInCallback(on, Gemm.NN, a, a, c);
    assertThat(c.floats()).containsOnly(Float.NaN);
    gate.open();
    after.synchronize();
    assertThat(c.ints()).containsExactly(square);
    assertThat(backend.callbackErrors()).isEmpty();
    assertThat(backend.counters()).containsEntry("callback.errors", 0L);
  }

  @Test
  void eightStreamsThroughOneCallbackThread() {
    Stream[] streams = new Stream[8];
    Matrix[] results = new Matrix[8];
    for (int i = 0; i < 8; i++) {
      streams[i] = device.stream();
      results[i] = device.empty(DType.BF16, N, N);
      after.gemmInCallback(streams[i], Gemm.NN, a, a, results[i]);
    }
    after.gemmInCallback(after, Gemm.NN, a, a, results[0]); // of its own stream, too
    after.synchronize();
    streams[0].synchronize();
    after.synchronize();
    for (Matrix result : results) {
      assertThat(result.ints()).containsExactly(square);
    }
    assertThat(backend.callbackErrors()).isEmpty();
  }

  // The GEMM is not there yet when what it needs is closed.
  @Test
  void closingWhatItUsesWaitsForTheCallback() {
    HostGate gate = backend.hostGate();
    Matrix b = device.matrix(DType.BF16, N, N, values);
    Matrix c = device.empty(DType.BF16, N, N);
    after.waitAt(gate);
    after.gemmInCallback(on, Gemm.NN, a, b, c);
    CompletableFuture<Void> stream = CompletableFuture.runAsync(on::close);
    CompletableFuture<Void> matrix = CompletableFuture.runAsync(b::close);
    assertStillWaits(stream);
    assertStillWaits(matrix);
    gate.open();
    stream.join();
    matrix.join();
    assertThat(c.ints()).containsExactly(square);
    assertThat(backend.callbackErrors()).isEmpty();
  }

  @Test
  void closingTheBackendLetsCallbacksCome() {
    try (Backend closing = HostBackend.open()) {
      Device its = closing.device(0);
      HostGate gate = closing.hostGate();
      Stream caller = its.stream();
      Matrix m = its.matrix(DType.BF16, N, N, values);
      caller.waitAt(gate);
      for (int i = 0; i < 8; i++) {
        caller.gemmInCallback(its.stream(), Gemm.NN, m, m, its.empty(DType.BF16, N, N));
      }
      closing.close();
      assertThat(m.toString()).contains("closed");
    }
  }

  @Test
  void whatGoesWrongInTheCallbackIsKept() {
    try (Backend failing = Backend.open(HostBackend.options().withFailCall("rocblas_sgemm#1:6"))) {
      Device its = failing.device(0);
      Stream caller = its.stream();
      try (Matrix m = its.matrix(DType.F32, N, N, values);
          Matrix c = its.empty(DType.F32, N, N)) {
        caller.gemmInCallback(its.stream(), Gemm.NN, m, m, c);
        caller.synchronize();
      }
      assertThat(failing.callbackErrors()).hasSize(1);
      assertThat(failing.callbackErrors().get(0)).contains("rocblas_sgemm");
      assertThat(failing.counters()).containsEntry("callback.errors", 1L);
    }
  }

  @Test
  void whatItRefuses() {
    Matrix small = device.empty(DType.BF16, 1, 1);
    assertThatThrownBy(() -> after.gemmInCallback(null, Gemm.NN, a, a, a))
        .hasMessage("gemmInCallback needs a stream for the GEMM, not null");
    assertThatThrownBy(() -> after.gemmInCallback(on, Gemm.NN, a, a, null))
        .hasMessageStartingWith("gemmInCallback needs a matrix for c");
    assertThatThrownBy(() -> after.gemmInCallback(on, Gemm.NN, a, a, small))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("gemmInCallback");
    try (Backend another = HostBackend.open()) {
      Stream foreign = another.device(0).stream();
      assertThatThrownBy(() -> after.gemmInCallback(foreign, Gemm.NN, a, a, a))
          .hasMessageContaining("belongs to another backend");
    }
    Matrix c = device.empty(DType.BF16, N, N);
    after.beginCapture(CaptureMode.RELAXED);
    assertThatThrownBy(() -> after.gemmInCallback(on, Gemm.NN, a, a, c))
        .isInstanceOf(HiplabException.class)
        .hasMessageStartingWith("gemmInCallback on stream 1 of device 0: ");
    after.endCapture().close();
  }
}
