package dev.hiplab.rocm;

import static dev.hiplab.rocm.Hip.*;
import static dev.hiplab.rocm.RocBlas.*;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Raw calls of several threads, and Java code on a thread of the driver's. */
@Timeout(120)
class RawThreadsTest {
  private static final int SIDE = 16;
  private static final int GEMMS = 200;

  @BeforeAll
  static void onTheSoftwareDevice() {
    HostRawCalls.choose();
  }

  @Test
  void eightThreadsMultiplyAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> all = new ArrayList<>();
      for (int i = 1; i <= 8; i++) {
        int value = i;
        all.add(() -> multiplied(value));
      }
      for (Future<Integer> one : threads.invokeAll(all)) {
        assertThat(one.get()).isEqualTo(GEMMS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** How many of the products, of a matrix of the value and one of ones, were right. */
  private static int multiplied(int value) {
    float[] ones = new float[SIDE * SIDE];
    float[] values = new float[SIDE * SIDE];
    java.util.Arrays.fill(ones, 1);
    java.util.Arrays.fill(values, value);
    hipStream_t stream = HostRawCalls.stream();
    rocblas_handle handle = new rocblas_handle();
    Check.rocblas(rocblas_create_handle(handle));
    Check.rocblas(rocblas_set_stream(handle, stream));
    Pointer a = HostRawCalls.upload(values);
    Pointer b = HostRawCalls.upload(ones);
    Pointer c = HostRawCalls.upload(ones);
    int right = 0;
    try (FloatPointer one = new FloatPointer(1f);
        FloatPointer zero = new FloatPointer(0f)) {
      for (int i = 0; i < GEMMS; i++) {
        Check.hip(hipMemsetAsync(c, 0xff, 4L * SIDE * SIDE, stream));
        Check.rocblas(
            rocblas_sgemm(
                handle,
                rocblas_operation_none,
                rocblas_operation_transpose,
                SIDE,
                SIDE,
                SIDE,
                one,
                new FloatPointer(a),
                SIDE,
                new FloatPointer(b),
                SIDE,
                zero,
                new FloatPointer(c),
                SIDE));
        Check.hip(hipStreamSynchronize(stream));
        float[] got = HostRawCalls.download(c, SIDE * SIDE);
        right += got[0] == value * SIDE && got[SIDE * SIDE - 1] == value * SIDE ? 1 : 0;
      }
    }
    for (Pointer memory : List.of(a, b, c)) {
      Check.hip(hipFree(memory));
    }
    Check.rocblas(rocblas_destroy_handle(handle));
    Check.hip(hipStreamDestroy(stream));
    return right;
  }

  @Test
  void whatAHostFunctionThrowsGoesToTheHandler() throws Exception {
    hipStream_t stream = HostRawCalls.stream();
    AtomicReference<Throwable> told = new AtomicReference<>();
    CountDownLatch after = new CountDownLatch(1);
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          told.set(thrown);
          throw new IllegalStateException("a handler that throws");
        });
    try {
      Error thrown = new StackOverflowError("not a real one");
      Check.hip(
          HostFunctions.launch(
              stream,
              () -> {
                throw thrown;
              }));
      Check.hip(HostFunctions.launch(stream, after::countDown));
      after.await();
      assertThat(told.get()).isSameAs(thrown);
      assertThat(hipStreamSynchronize(stream)).as("the process and its device live").isZero();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(HostFunctions.launch(stream, null)).isEqualTo(hipErrorInvalidValue);
    Check.hip(hipStreamDestroy(stream));
    assertThat(HostFunctions.launch(stream, after::countDown)).isEqualTo(hipErrorInvalidHandle);
  }

  @Test
  void aCapturedHostFunctionRunsAtEachLaunch() {
    hipStream_t stream = HostRawCalls.stream();
    AtomicInteger runs = new AtomicInteger();
    Check.hip(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    Check.hip(HostFunctions.launch(stream, runs::incrementAndGet));
    hipGraph_t graph = new hipGraph_t();
    Check.hip(hipStreamEndCapture(stream, graph));
    hipGraphExec_t executable = new hipGraphExec_t();
    Check.hip(hipGraphInstantiate(executable, graph, null, null, 0));
    assertThat(runs).hasValue(0);
    for (int i = 0; i < 3; i++) {
      Check.hip(hipGraphLaunch(executable, stream));
    }
    Check.hip(hipStreamSynchronize(stream));
    assertThat(runs).hasValue(3);
    Check.hip(hipGraphExecDestroy(executable));
    Check.hip(hipGraphDestroy(graph));
    Check.hip(hipStreamDestroy(stream));
  }

  /** Nobody else's object can take the place of the one that lets nothing out. */
  @Test
  void aHostFunctionPointerCannotBeExtendedElsewhere() {
    assertThat(hipHostFn_t.class.getDeclaredConstructors())
        .filteredOn(one -> one.getParameterCount() == 0)
        .hasSize(1)
        .allMatch(
            one ->
                (one.getModifiers()
                        & (java.lang.reflect.Modifier.PUBLIC
                            | java.lang.reflect.Modifier.PROTECTED))
                    == 0);
  }
}
