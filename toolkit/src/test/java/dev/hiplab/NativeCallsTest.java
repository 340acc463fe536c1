package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hiplab.bindings.ArgumentsRef;
import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.BufferRef;
import dev.hiplab.bindings.GateRef;
import dev.hiplab.bindings.GraphRef;
import dev.hiplab.bindings.KernelRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.ScheduleRef;
import dev.hiplab.bindings.StreamRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Native calls straight through the stubs that JavaCPP makes, with what these must bring over. */
class NativeCallsTest {
  private static final int F32 = 0;
  private static final int BF16 = 2;
  private static final int SIDE = 16;
  private static final int COUNT = SIDE * SIDE;
  private static final int THREAD_LOCAL = 1;

  private BackendRef backend;
  private StreamRef stream;
  private final List<BufferRef> buffers = new ArrayList<>();

  @BeforeEach
  void open() {
    NativeLibrary.load();
    backend = Native.openBackend(HostBackend.options().toText());
    stream = Native.createStream(backend, 0);
  }

  @AfterEach
  void close() {
    buffers.forEach(Native::freeBuffer);
    Native.destroyStream(stream);
    Native.closeBackend(backend);
  }

  private BufferRef buffer(float value) {
    BufferRef buffer = Native.allocate(backend, 0, COUNT * 4);
    buffers.add(buffer);
    set(buffer, value, F32);
    return buffer;
  }

  private void set(BufferRef buffer, float value, int type) {
    Native.copyIn(stream, buffer, filled(value), COUNT, type);
  }

  private static float[] filled(float value) {
    float[] values = new float[COUNT];
    Arrays.fill(values, value);
    return values;
  }

  private float[] read(BufferRef buffer, int type) {
    float[] values = new float[COUNT];
    Native.copyOut(stream, buffer, values, COUNT, type);
    return values;
  }

  private static void multiply(StreamRef stream, int type, BufferRef a, BufferRef b, BufferRef c) {
    Native.gemm(stream, type, false, true, SIDE, SIDE, SIDE, 1, 1f, a, b, 0f, c);
  }

  @Test
  void aGraphIsLaunchedAgainAndAgain() {
    BufferRef a = buffer(1);
    BufferRef b = buffer(1);
    BufferRef c = buffer(0);
    multiply(stream, F32, a, b, c);
    Native.fillBytes(stream, c, 0xFF);
    Native.synchronizeStream(stream);
    Native.beginCapture(stream, THREAD_LOCAL);
    multiply(stream, F32, a, b, c);
    assertThat(Native.captureStatus(stream)).isEqualTo(1);
    GraphRef graph = Native.endCapture(stream);
    assertThat(Native.captureStatus(stream)).isZero();
    assertThat(read(c, F32)).containsOnly(Float.NaN);
    for (int value = 2; value < 5; value++) {
      set(a, value, F32);
      Native.launchGraph(graph, stream);
      assertThat(read(c, F32)).isEqualTo(filled(value * SIDE));
    }
    Native.destroyGraph(graph);
  }

  @Test
  void aSpoiltCaptureIsAnErrorWithItsCallAndStatus() {
    Native.beginCapture(stream, THREAD_LOCAL);
    HiplabException wait =
        catchThrowableOfType(() -> Native.synchronizeStream(stream), HiplabException.class);
    assertThat(wait.call()).isEqualTo("hipStreamSynchronize");
    assertThat(wait.status()).isEqualTo(900);
    assertThat(Native.captureStatus(stream)).isEqualTo(2);
    HiplabException end =
        catchThrowableOfType(() -> Native.endCapture(stream), HiplabException.class);
    assertThat(end.call()).isEqualTo("hipStreamEndCapture");
    assertThat(end.status()).isEqualTo(901);
    assertThat(end.statusName()).isEqualTo("hipErrorStreamCaptureInvalidated");
    assertThat(Native.captureStatus(stream)).isZero();
  }

  @Test
  void aKernelGetsItsArguments() {
    BufferRef out = buffer(0);
    KernelRef kernel =
        Native.createKernel(
            """
            extern "C" __global__ void fill(float* out, int n, long long by, float f, double d) {
              int i = blockIdx.x * blockDim.x + threadIdx.x;
              if (i < n) out[i] = float(i % 7 + (by >> 40)) * f + float(d - 16777216.0);
            }
            """,
            "fill", "");
    ArgumentsRef arguments = Native.createArguments();
    Native.addBuffer(arguments, out);
    Native.addInt(arguments, COUNT - 1);
    Native.addLong(arguments, 3L << 40);
    Native.addFloat(arguments, 0.5f);
    Native.addDouble(arguments, 16777217.0);
    Native.launchKernel(stream, kernel, SIDE, 1, 1, SIDE, 1, 1, arguments);
    float[] want = new float[COUNT];
    for (int i = 0; i < COUNT - 1; i++) {
      want[i] = (i % 7 + 3) * 0.5f + 1;
    }
    assertThat(read(out, F32)).isEqualTo(want);

    BufferRef freed = buffers.remove(buffers.size() - 1);
    Native.freeBuffer(freed);
    assertThat(
            catchThrowableOfType(
                () -> Native.launchKernel(stream, kernel, 1, 1, 1, 1, 1, 1, arguments),
                HiplabException.class))
        .hasMessage(
            "argument 1 is a buffer that has been freed: make a list with one that is open");
    Native.destroyArguments(arguments);
    Native.destroyKernel(kernel);
  }

  @Test
  void aKernelThatDoesNotCompileTellsTheLog() {
    KernelRef kernel =
        Native.createKernel("extern \"C\" __global__ void k() { nobody_knows_this; }", "k", "");
    ArgumentsRef none = Native.createArguments();
    HiplabException error =
        catchThrowableOfType(
            () -> Native.launchKernel(stream, kernel, 1, 1, 1, 1, 1, 1, none),
            HiplabException.class);
    assertThat(error).hasMessageContaining("nobody_knows_this");
    assertThat(error.call()).isEqualTo("hiprtcCompileProgram");
    assertThat(error.status()).isEqualTo(6);
    Native.destroyArguments(none);
    Native.destroyKernel(kernel);
  }

  @Test
  void tuneMeasuresCandidatesAndLeavesC() {
    BufferRef a = buffer(0);
    BufferRef b = buffer(0);
    BufferRef c = buffer(0);
    set(a, 1, BF16);
    set(b, 2, BF16);
    set(c, 7, BF16);
    String[] lines =
        Native.tune(stream, BF16, false, true, SIDE, SIDE, SIDE, 1, a, b, c, 2, 2).split("\n");
    assertThat(lines).hasSize(2);
    int chosen = 0;
    for (String line : lines) {
      String[] fields = line.trim().split(" ");
      assertThat(Double.parseDouble(fields[5])).as(line).isNotNegative();
      chosen += Integer.parseInt(fields[8]);
    }
    assertThat(chosen).isEqualTo(1);
    assertThat(read(c, BF16)).isEqualTo(filled(7));
    multiply(stream, BF16, a, b, c);
    assertThat(read(c, BF16)).isEqualTo(filled(2 * SIDE));
  }

  @Test
  void theTrackerTakesStreamsBack() throws InterruptedException {
    StreamRef inTime = Native.acquireStream(backend, 0);
    assertThat(tracked("acquired")).isEqualTo(1);
    BufferRef a = buffer(2);
    BufferRef b = buffer(1);
    BufferRef c = buffer(0);
    Native.synchronizeStream(stream);
    multiply(inTime, F32, a, b, c);
    Native.synchronizeStream(inTime);
    Native.releaseStream(inTime);
    assertThat(read(c, F32)).isEqualTo(filled(2 * SIDE));
    assertThat(tracked("pooled")).isEqualTo(1);

    StreamRef overrun = Native.acquireStream(backend, 0);
    BufferRef scratch = Native.allocate(backend, 0, 1 << 20);
    Native.fillBytes(overrun, scratch, 1);
    Native.abandonStream(overrun, scratch);
    assertThat(tracked("acquired")).isZero();
    while (tracked("draining") != 0 || tracked("pinnedBytes") != 0) {
      Thread.sleep(1);
    }
    assertThat(tracked("owned")).isEqualTo(tracked("pooled"));
  }

  private long tracked(String name) {
    return KeyValues.numbers(Native.trackerState(backend, 0)).get(name);
  }

  @Test
  void clearedStreamsStayUsable() {
    BufferRef a = buffer(0);
    BufferRef b = buffer(0);
    BufferRef c = buffer(0);
    set(a, 3, BF16);
    set(b, 1, BF16);
    multiply(stream, BF16, a, b, c);
    long before = KeyValues.numbers(Native.counters(backend)).get("ended.encoders");
    Native.clearStreams(backend);
    assertThat(KeyValues.numbers(Native.counters(backend)).get("ended.encoders"))
        .isGreaterThan(before);
    Native.fillBytes(stream, c, 0xFF);
    multiply(stream, BF16, a, b, c);
    assertThat(read(c, BF16)).isEqualTo(filled(3 * SIDE));
  }

  @Test
  void aGateHoldsAStream() throws InterruptedException {
    BufferRef a = buffer(2);
    BufferRef b = buffer(1);
    BufferRef c = buffer(0);
    GateRef gate = Native.createGate();
    assertThat(Native.gateReached(gate)).isFalse();
    Native.waitAtGate(stream, gate);
    multiply(stream, F32, a, b, c);
    while (!Native.gateReached(gate)) {
      Thread.sleep(1);
    }
    assertThat(Native.streamIdle(stream)).isFalse();
    Native.openGate(gate);
    assertThat(read(c, F32)).isEqualTo(filled(2 * SIDE));
    Native.destroyGate(gate);
  }

  @Test
  void aCallbackEnqueuesAGemm() {
    BufferRef a = buffer(0);
    BufferRef b = buffer(0);
    BufferRef c = buffer(0);
    set(a, 3, BF16);
    set(b, 1, BF16);
    Native.gemmInCallback(stream, stream, BF16, false, true, SIDE, SIDE, SIDE, 1, 1f, a, b, 0f, c);
    Native.synchronizeStream(stream); // the callback has enqueued it
    assertThat(read(c, BF16)).isEqualTo(filled(3 * SIDE));
    assertThat(Native.callbackErrors(backend)).isEmpty();
    assertThat(KeyValues.numbers(Native.counters(backend))).containsEntry("callback.errors", 0L);
  }

  @Test
  void aWatchedGemmRunsOnItsOwnStream() {
    BackendRef watched = Native.openBackend(HostBackend.options().toText() + "count_calls=1\n");
    StreamRef own = Native.createStream(watched, 0);
    BufferRef[] operands = new BufferRef[3];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = Native.allocate(watched, 0, COUNT * 4);
      Native.fillBytes(own, operands[i], 0);
    }
    Map<String, Long> before = KeyValues.numbers(Native.counters(watched));
    multiply(own, F32, operands[0], operands[1], operands[2]);
    Native.synchronizeStream(own);
    Map<String, Long> after = KeyValues.numbers(Native.counters(watched));
    assertThat(after.get("gemm.own-stream")).isEqualTo(before.get("gemm.own-stream") + 1);
    assertThat(after.get("gemm.other-stream")).isEqualTo(before.get("gemm.other-stream"));
    assertThat(after.get("created.rocblas.device-0"))
        .isEqualTo(before.getOrDefault("created.rocblas.device-0", 0L) + 1);
    for (BufferRef operand : operands) {
      Native.freeBuffer(operand);
    }
    Native.destroyStream(own);
    Native.closeBackend(watched);
  }

  /** The window of mlxcel 2198, which the lease excludes. */
  @Test
  void aScheduleTellsWhichLockExcludesAnOrder() throws InterruptedException {
    BufferRef a = buffer(2);
    BufferRef b = buffer(1);
    BufferRef[] results = {buffer(0), buffer(0)};
    multiply(stream, F32, a, b, results[0]); // creates the handle
    Native.fillBytes(stream, results[0], 0xFF);
    Native.synchronizeStream(stream);
    StreamRef[] streams = {Native.createStream(backend, 0), Native.createStream(backend, 0)};
    ScheduleRef schedule =
        Native.startSchedule(
            """
            order A:rocblas.rebind.done arrived -> B:test.begin
            order A:rocblas.rebind.done arrived -> B:rocblas.rebind.done
            order B:rocblas.leave -> A:rocblas.rebind.done
            record
            bound 600s
            """);
    assertThat(catchThrowableOfType(() -> Native.startSchedule("record"), HiplabException.class))
        .hasMessageContaining("is in force already");
    Thread[] threads = new Thread[2];
    for (int i = 0; i < 2; i++) {
      int which = i;
      threads[i] =
          new Thread(
              () -> {
                Native.nameThread(which == 0 ? "A" : "B");
                Native.passPoint("test.begin");
                multiply(streams[which], F32, a, b, results[which]);
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Map<String, String> told = KeyValues.texts(Native.endSchedule(schedule));
    for (StreamRef each : streams) {
      Native.synchronizeStream(each);
      Native.destroyStream(each);
    }
    assertThat(told)
        .containsEntry("order.0", "order A:rocblas.rebind.done arrived -> B:test.begin")
        .containsEntry("order.0.status", "held")
        .containsEntry("order.1.status", "held")
        .containsEntry("order.2.status", "excluded")
        .containsEntry("order.2.proved", "1")
        .containsEntry("order.2.locks", "rocBLAS handle")
        .containsEntry("recorded.0", "A:test.begin")
        .containsKey("replay.0");
    for (BufferRef result : results) {
      assertThat(read(result, F32)).isEqualTo(filled(2 * SIDE));
    }
    assertThat(catchThrowableOfType(() -> Native.startSchedule("order A"), HiplabException.class))
        .hasMessageContaining("schedule, line 1");
  }
}
