package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing in one thread while eight others use the object: a clear error there, never a crash. */
@Timeout(120)
class ClosingTest {
  private static final int THREADS = 8;

  private interface Use {
    void run(int thread);
  }

  /** Runs a use in eight threads until it fails; closes once each has got through at least once. */
  private static List<Throwable> closeUnder(AutoCloseable target, Use use) throws Exception {
    CountDownLatch warm = new CountDownLatch(THREADS);
    Throwable[] ends = new Throwable[THREADS];
    Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      int index = t;
      threads[t] =
          new Thread(
              () -> {
                try {
                  while (true) {
                    use.run(index);
                    warm.countDown();
                  }
                } catch (Throwable e) {
                  ends[index] = e;
                  warm.countDown();
                }
              });
      threads[t].start();
    }
    warm.await();
    target.close();
    List<Throwable> all = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      threads[t].join();
      all.add(ends[t]);
    }
    return all;
  }

  private static void allSay(List<Throwable> ends, String sentence) {
    assertThat(ends)
        .hasSize(THREADS)
        .allSatisfy(
            e -> assertThat(e).isInstanceOf(HiplabException.class).hasMessageContaining(sentence));
  }

  @Test
  void aMatrixUnderEightThreads() throws Exception {
    try (Backend backend = HostBackend.open()) {
      Device device = backend.device(0);
      Stream[] streams = new Stream[THREADS];
      for (int t = 0; t < THREADS; t++) {
        streams[t] = device.stream();
      }
      for (int round = 0; round < 10; round++) {
        Matrix a = device.matrix(DType.F32, 8, 8, new float[64]);
        Matrix b = device.matrix(DType.F32, 8, 8, new float[64]);
        allSay(
            closeUnder(b, t -> streams[t].matmul(a, b).close()), "Matrix " + b.id() + " is closed");
        a.close();
      }
      assertThat(backend.forgotten()).isZero();
    }
  }

  @Test
  void aMatrixThatIsRead() throws Exception {
    try (Backend backend = HostBackend.open()) {
      Matrix a = backend.device(0).matrix(DType.F32, 64, 64, new float[4096]);
      allSay(closeUnder(a, t -> assertThat(a.floats()).hasSize(4096)), "is closed");
    }
  }

  @Test
  void aStreamUnderEightThreads() throws Exception {
    try (Backend backend = HostBackend.open()) {
      Device device = backend.device(0);
      Matrix a = device.matrix(DType.F32, 8, 8, new float[64]);
      for (int round = 0; round < 10; round++) {
        Stream stream = device.stream();
        Event event = device.event();
        allSay(
            closeUnder(
                stream,
                t -> {
                  stream.matmul(a, a).close();
                  stream.record(event);
                  stream.synchronize();
                }),
            "Stream " + stream.id() + " is closed");
      }
    }
  }

  @Test
  void aGraphAndItsMatrixUnderEightThreads() throws Exception {
    try (Backend backend = HostBackend.open()) {
      Device device = backend.device(0);
      Stream[] streams = new Stream[THREADS];
      for (int t = 0; t < THREADS; t++) {
        streams[t] = device.stream();
      }
      for (int round = 0; round < 10; round++) {
        Matrix filled = device.empty(DType.F32, 8, 8);
        streams[0].beginCapture(CaptureMode.RELAXED);
        streams[0].poison(filled);
        Graph graph = streams[0].endCapture();
        if (round % 2 == 0) {
          allSay(
              closeUnder(graph, t -> graph.launch(streams[t])),
              "Graph " + graph.id() + " is closed");
          assertThat(filled.floats()).containsOnly(Float.NaN);
        } else {
          allSay(
              closeUnder(filled, t -> graph.launch(streams[t])),
              "which it was captured with, is closed");
        }
      }
    }
  }

  @Test
  void aKernelUnderEightThreads() throws Exception {
    try (Backend backend = HostBackend.open()) {
      Device device = backend.device(0);
      Stream stream = device.stream();
      Matrix x = device.matrix(DType.F32, 1, 1, 7);
      Kernel kernel =
          Kernel.of("extern \"C\" __global__ void one(float* x) { x[0] = 1; }", "one", "-O1");
      allSay(closeUnder(kernel, t -> stream.launch(kernel, 1, 1, x)), "Kernel one is closed");
      assertThat(x.ints()).containsExactly(1);
    }
  }

  @Test
  void aDisposableStreamUnderEightThreads() throws Exception {
    try (Backend backend = HostBackend.open()) {
      Device device = backend.device(0);
      Matrix a = device.matrix(DType.F32, 1, 1, 2);
      for (int round = 0; round < 10; round++) {
        DisposableStream stream = device.acquireStream();
        boolean abandons = round % 2 == 0;
        allSay(
            closeUnder(
                abandons ? () -> stream.abandon(null) : stream, t -> stream.matmul(a, a).close()),
            "Stream " + stream.id() + " is closed");
        assertThat(device.trackerState().acquired()).isZero();
      }
    }
  }

  @Test
  void aBackendUnderEightThreads() throws Exception {
    for (int round = 0; round < 5; round++) {
      Backend backend = HostBackend.open();
      Device device = backend.device(0);
      Matrix a = device.matrix(DType.F32, 8, 8, new float[64]);
      allSay(
          closeUnder(
              backend,
              t -> {
                try (Stream stream = device.stream();
                    Matrix c = stream.matmul(a, a)) {
                  assertThat(c.floats()).hasSize(64);
                }
              }),
          "is closed");
      backend.close();
      assertThat(backend.toString()).contains("closed");
      assertThatThrownBy(device::stream).hasMessageContaining("is closed");
      assertThatThrownBy(a::floats).hasMessageContaining("Matrix " + a.id() + " is closed");
    }
  }

  @Test
  void forgottenObjectsAreFreedAndTold() throws Exception {
    try (Backend backend = HostBackend.open()) {
      Device device = backend.device(0);
      forget(device);
      while (backend.forgotten() < 3) {
        System.gc();
        Thread.sleep(1);
      }
      assertThat(device.toString()).contains("3 forgotten and freed");
    }
  }

  // Java's collector does not see device memory, so dropping results must not fill the device.
  @Test
  void droppedResultsDoNotPileUp() {
    int dropped = 40;
    try (Backend backend = HostBackend.open()) {
      Device device = backend.device(0);
      long bytes = 0;
      long most = 0;
      for (int i = 0; i < dropped; i++) {
        bytes = device.empty(DType.F32, 4096, 4096).bytes();
        most = Math.max(most, backend.counters().get("live.memory_bytes"));
      }
      assertThat(most).isLessThan(dropped * bytes / 2);
    }
  }

  @Test
  void aFullDeviceNamesTheMatrixAndWhatIsInTheWay() {
    try (Backend backend = HostBackend.open()) {
      Device device = backend.device(0);
      List<Matrix> kept = new ArrayList<>();
      long room = Long.parseLong(device.info().get("totalBytes"));
      int n = (int) Math.min(32768, Math.sqrt(room / 3 / DType.F32.bytes()));
      assertThatThrownBy(
              () -> {
                // Memory that nothing writes costs this machine nothing.
                for (long taken = 0; taken <= room; taken += kept.get(0).bytes()) {
                  kept.add(device.empty(DType.F32, n, n));
                }
              })
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("no memory for a matrix [" + n + ", " + n + "] f32 of ")
          .hasMessageContaining("hipErrorOutOfMemory")
          .hasMessageContaining("close matrices")
          .hasMessageContaining("; the software device has " + (room >> 20) + " MiB, ")
          .hasMessageContaining((kept.size() * kept.get(0).bytes() >> 20) + " MiB of it in use")
          .hasMessageContaining("set HIPLAB_HOST_MEMORY_BYTES");
      kept.forEach(Matrix::close);
      device.empty(DType.F32, n, n).close();
    }
  }

  // In a frame of its own, so that no local variable keeps them.
  private static void forget(Device device) {
    device.stream();
    device.event();
    device.matrix(DType.F32, 1, 1, 1);
  }
}
