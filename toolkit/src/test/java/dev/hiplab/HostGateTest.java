package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HostGateTest {
  private Backend backend;
  private Device device;
  private Stream stream;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    device = backend.device(0);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private static void awaitReached(HostGate gate) {
    while (!gate.reached()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void nothingBehindItRunsBeforeItIsOpen() {
    try (HostGate gate = backend.hostGate();
        Matrix a = device.matrix(DType.F32, 1, 1, 6)) {
      assertThat(gate.reached()).isFalse();
      stream.waitAt(gate);
      awaitReached(gate);
      assertThat(gate).hasToString("HostGate 1 (reached)");
      Matrix c = stream.matmul(a, a);
      assertThat(stream.idle()).isFalse();
      gate.open();
      gate.open();
      assertThat(c.ints()).containsExactly(36);
    }
  }

  @Test
  void itHoldsEveryOtherCallback() {
    try (HostGate gate = backend.hostGate();
        HostGate open = backend.hostGate();
        Stream other = device.stream()) {
      open.open();
      stream.waitAt(gate);
      awaitReached(gate);
      other.waitAt(open);
      assertThat(other.idle()).isFalse();
      assertThat(open.reached()).isFalse();
      gate.open();
      other.synchronize();
      assertThat(open.reached()).isTrue();
    }
  }

  @Test
  void anOpenOneIsPassed() {
    try (HostGate gate = backend.hostGate()) {
      gate.open();
      stream.waitAt(gate);
      stream.synchronize();
      assertThat(gate.reached()).isTrue();
    }
  }

  @Test
  void closingItOpensIt() {
    HostGate gate = backend.hostGate();
    stream.waitAt(gate);
    awaitReached(gate);
    CompletableFuture<Void> done = CompletableFuture.runAsync(stream::synchronize);
    gate.close();
    gate.close();
    done.join();
    assertThat(stream.idle()).isTrue();
    assertThat(gate).hasToString("HostGate 1 (closed)");
    assertThatThrownBy(gate::open).hasMessage("HostGate 1 is closed; make a new one");
    assertThatThrownBy(() -> stream.waitAt(gate)).hasMessageContaining("HostGate 1 is closed");
  }

  // In whatever order the streams come: each is behind the gate.
  @Test
  void closingTheBackendOpensItFirst() {
    Backend closing = HostBackend.open();
    HostGate gate = closing.hostGate();
    for (int i = 0; i < 8; i++) {
      closing.device(0).stream().waitAt(gate);
    }
    awaitReached(gate);
    closing.close();
    assertThat(gate.toString()).endsWith("(closed)");
  }

  @Test
  void whatItRefuses() {
    try (HostGate gate = backend.hostGate();
        Backend another = HostBackend.open()) {
      assertThatThrownBy(() -> another.device(0).stream().waitAt(gate))
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("HostGate 1 belongs to another backend");
      assertThatThrownBy(() -> stream.waitAt(null)).hasMessage("waitAt needs a gate, not null");
      stream.beginCapture(CaptureMode.THREAD_LOCAL);
      assertThatThrownBy(() -> stream.waitAt(gate))
          .isInstanceOf(HiplabException.class)
          .hasMessageStartingWith("waitAt on stream 1 of device 0: ");
      stream.endCapture().close();
    }
  }
}
