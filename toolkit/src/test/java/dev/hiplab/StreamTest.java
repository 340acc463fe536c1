package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamTest {
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

  @Test
  void anEventOrdersTwoStreams() {
    int n = 192;
    float[] values = Integers.random(n * n, 1, 5);
    try (Stream first = device.stream();
        Stream second = device.stream();
        Event written = device.event();
        Matrix a = device.matrix(DType.F32, n, n, values);
        Matrix b = device.matrix(DType.F32, n, n, values)) {
      int[] square = Integers.gemm(false, false, 1, n, n, n, 1, values, values, 0, null);
      float[] squared = new float[square.length];
      for (int i = 0; i < square.length; i++) {
        squared[i] = square[i];
      }
      int[] cube = Integers.gemm(false, false, 1, n, n, n, 1, squared, values, 0, null);
      for (int round = 0; round < 10; round++) {
        try (Matrix middle = device.empty(DType.F32, n, n);
            Matrix last = device.empty(DType.F32, n, n)) {
          first.poison(middle);
          first.gemm(Gemm.NN, a, b, middle);
          first.record(written);
          second.await(written);
          second.gemm(Gemm.NN, middle, b, last);
          assertThat(last.ints()).containsExactly(cube);
        }
      }
      assertThat(written.done()).isTrue();
    }
  }

  @Test
  void eventsMeasureDeviceTime() {
    try (Stream stream = device.stream();
        Event start = device.event();
        Event stop = device.event();
        Matrix a = device.matrix(DType.F32, 512, 512, new float[512 * 512])) {
      stream.record(start);
      Matrix c = stream.matmul(a, a);
      stream.record(stop);
      assertThat(stop.millisSince(start)).isPositive();
      c.close();
    }
  }

  @Test
  void anEventThatWasNeverRecordedIsNoMark() {
    try (Stream stream = device.stream();
        Event event = device.event()) {
      assertThat(event.done()).isFalse();
      assertThat(event.toString()).contains("never recorded");
      assertThatThrownBy(() -> stream.await(event))
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("never recorded");
      assertThatThrownBy(event::synchronize).hasMessageContaining("never recorded");
    }
  }

  @Test
  void synchronizeLeavesTheStreamIdle() {
    try (Stream stream = device.stream();
        Matrix a = device.matrix(DType.F32, 256, 256, new float[256 * 256])) {
      for (int i = 0; i < 5; i++) {
        stream.matmul(a, a).close();
      }
      stream.synchronize();
      assertThat(stream.idle()).isTrue();
      assertThat(stream.toString()).contains("Stream " + stream.id()).contains("idle");
    }
  }

  // Closing the stream that wrote a matrix waits for its work, so the values are there afterwards.
  @Test
  void outputOutlivesItsStream() {
    Matrix a = device.matrix(DType.F32, 1, 1, 6);
    Matrix b = device.matrix(DType.F32, 1, 1, 7);
    Stream stream = device.stream();
    Matrix c = stream.matmul(a, b);
    stream.close();
    assertThat(c.ints()).containsExactly(42);
    assertThat(c.toString()).contains("42");
    assertThatThrownBy(() -> stream.matmul(a, b))
        .hasMessageContaining("Stream " + stream.id() + " is closed");
  }

  // The inputs are closed while the GEMM that reads them may still be queued.
  @Test
  void closingInputsUnderQueuedWorkIsSafe() {
    int n = 256;
    float[] values = Integers.random(n * n, 1, 9);
    int[] expected = Integers.gemm(false, false, 1, n, n, n, 1, values, values, 0, null);
    try (Stream stream = device.stream()) {
      for (int round = 0; round < 10; round++) {
        Matrix a = device.matrix(DType.F32, n, n, values);
        Matrix b = device.matrix(DType.F32, n, n, values);
        try (Matrix c = stream.matmul(a, b)) {
          a.close();
          b.close();
          assertThat(c.ints()).containsExactly(expected);
        }
      }
    }
  }

  // Printing must not wait for a stream that works for long; the values come once it is idle.
  @Test
  void printingDoesNotWaitForLongWork() {
    int n = 512;
    try (Stream stream = device.stream();
        Matrix a = device.matrix(DType.F32, n, n, new float[n * n]);
        Matrix c = device.empty(DType.F32, n, n)) {
      stream.gemm(Gemm.NN, a, a, c);
      stream.synchronize();
      long begin = System.nanoTime();
      stream.gemm(Gemm.NN, a, a, c);
      stream.synchronize();
      long one = Math.max(1, System.nanoTime() - begin);
      // Some seconds of work by that measure, however fast this machine is.
      long count = Math.max(10, 3_000_000_000L / one);
      for (long i = 0; i < count; i++) {
        stream.gemm(Gemm.NN, a, a, c);
      }
      assertThat(c.toString()).endsWith("(pending on stream " + stream.id() + ")");
      assertThat(stream.idle()).isFalse();
      stream.synchronize();
      assertThat(c.toString()).contains("0 0 0");
    }
  }

  @Test
  void heuristicsKeepToTheCap() {
    try (Stream stream = device.stream()) {
      List<Candidate> all = stream.heuristics(Gemm.NT, DType.BF16, 1, 64, 64, 4096, 8, 32L << 20);
      assertThat(all).isNotEmpty();
      assertThat(all).allMatch(c -> c.shape().equals("bf16 64x64x4096 NT"));
      assertThat(all).allMatch(c -> c.workspaceBytes() <= 32L << 20);
      assertThat(all).anyMatch(c -> c.workspaceBytes() > 0);
      List<Candidate> none = stream.heuristics(Gemm.NT, DType.BF16, 1, 64, 64, 4096, 8, 0);
      assertThat(none).allMatch(c -> c.workspaceBytes() == 0);
      assertThatThrownBy(() -> stream.heuristics(Gemm.NT, DType.BF16, 1, 64, 64, 64, 0, 0))
          .hasMessageContaining("at least 1 candidate");
      assertThatThrownBy(() -> stream.heuristics(Gemm.NT, DType.BF16, 1, 0, 64, 64, 1, 0))
          .hasMessageContaining("m 0");
    }
  }
}
