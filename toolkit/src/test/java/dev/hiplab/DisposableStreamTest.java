package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DisposableStreamTest {
  private Backend backend;
  private Device device;
  private Matrix a;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    device = backend.device(0);
    a = device.matrix(DType.F32, 1, 1, 3);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private static HiplabException thrown(Runnable call) {
    return catchThrowableOfType(call::run, HiplabException.class);
  }

  private void drained() throws InterruptedException {
    while (device.trackerState().draining() != 0 || device.trackerState().pinnedBytes() != 0) {
      Thread.sleep(1);
    }
  }

  @Test
  void aReleasedStreamIsGivenOutAgain() {
    assertThat(device.trackerState()).isEqualTo(new TrackerState(0, 0, 0, 0, 0));
    DisposableStream first = device.acquireStream();
    assertThat(device.trackerState()).isEqualTo(new TrackerState(1, 0, 1, 0, 0));
    assertThat(first.matmul(a, a).ints()).containsExactly(9);
    first.release();
    assertThat(device.trackerState()).isEqualTo(new TrackerState(1, 1, 0, 0, 0));
    try (DisposableStream second = device.acquireStream()) {
      assertThat(device.trackerState()).isEqualTo(new TrackerState(1, 0, 1, 0, 0));
      assertThat(second.matmul(a, a).ints()).containsExactly(9);
    }
    assertThat(device.trackerState()).isEqualTo(new TrackerState(1, 1, 0, 0, 0));
  }

  @Test
  void anAbandonedStreamComesBackAndItsScratchIsFreed() throws InterruptedException {
    DisposableStream stream = device.acquireStream();
    Matrix scratch = device.empty(DType.F32, 512, 512);
    long before = backend.counters().get("live.memory_bytes");
    long counted = backend.owner.deviceBytes();
    stream.poison(scratch);
    stream.abandon(scratch);
    assertThat(scratch.toString()).contains("closed");
    assertThat(backend.owner.deviceBytes()).isEqualTo(counted - scratch.bytes());
    drained();
    assertThat(backend.counters().get("live.memory_bytes"))
        .isLessThanOrEqualTo(before - scratch.bytes());
    DisposableStream bare = device.acquireStream();
    bare.abandon(null);
    drained();
    TrackerState state = device.trackerState();
    assertThat(state.owned()).isEqualTo(state.pooled());
    scratch.close(); // does nothing
  }

  @Test
  void whatHasBeenGivenBackIsAnError() {
    DisposableStream stream = device.acquireStream();
    stream.release();
    stream.close(); // does nothing
    assertThat(thrown(stream::release)).hasMessageContaining("Stream 1 has been given back");
    assertThat(thrown(() -> stream.abandon(null))).hasMessageContaining("has been given back");
    assertThat(thrown(() -> stream.abandon(a))).hasMessageContaining("has been given back");
    assertThat(thrown(() -> stream.poison(a))).hasMessageContaining("Stream 1 is closed");
    assertThat(a.ints()).containsExactly(3);
    DisposableStream other = device.acquireStream();
    Matrix closed = device.empty(DType.F32, 1, 1);
    closed.close();
    assertThat(thrown(() -> other.abandon(closed)))
        .hasMessageContaining("Matrix " + closed.id() + " is closed");
    try (Backend second = HostBackend.open()) {
      Matrix there = second.device(0).empty(DType.F32, 1, 1);
      assertThat(thrown(() -> other.abandon(there))).hasMessageContaining("of another backend");
    }
    assertThat(other.matmul(a, a).ints()).containsExactly(9);
  }

  @Test
  void aCapturingOneIsRefusedAndStays() {
    DisposableStream stream = device.acquireStream();
    stream.beginCapture(CaptureMode.THREAD_LOCAL);
    String where = " on stream " + stream.id() + " of device 0: ";
    assertThat(thrown(stream::release)).hasMessageStartingWith("release" + where);
    assertThat(thrown(() -> stream.abandon(a))).hasMessageStartingWith("abandon" + where);
    assertThat(thrown(stream::close)).hasMessageStartingWith("close" + where);
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.ACTIVE);
    stream.poison(a);
    stream.endCapture().close();
    assertThat(a.ints()).containsExactly(3);
    stream.release();
    assertThat(device.trackerState()).isEqualTo(new TrackerState(1, 1, 0, 0, 0));
  }

  /** The backend closes with streams in each state, one of them capturing. */
  @Test
  void theBackendEndsThoseThatNobodyEnded() {
    DisposableStream working = device.acquireStream();
    DisposableStream capturing = device.acquireStream();
    working.poison(a);
    capturing.beginCapture(CaptureMode.THREAD_LOCAL);
    device.acquireStream().abandon(null);
    backend.close();
    assertThat(thrown(() -> working.poison(a))).hasMessageContaining("is closed");
  }
}
