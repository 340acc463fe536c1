package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.Native;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class HiplabExceptionTest {
  @Test
  void aFailedCallKeepsItsNameAndStatus() {
    NativeLibrary.load();
    BackendRef backend = Native.openBackend(HostBackend.options().toText());
    try {
      // More than any device has.
      HiplabException error =
          catchThrowableOfType(() -> Native.allocate(backend, 0, 1L << 50), HiplabException.class);
      assertThat(error)
          .hasMessage("hipMalloc failed on device 0: hipErrorOutOfMemory (2)")
          .hasNoCause();
      assertThat(error.call()).isEqualTo("hipMalloc");
      assertThat(error.status()).isEqualTo(2);
      assertThat(error.statusName()).isEqualTo("hipErrorOutOfMemory");
    } finally {
      Native.closeBackend(backend);
    }
  }

  /** What a Java class adds to the sentence takes nothing from it. */
  @Test
  void callsThroughDeviceAndStreamKeepThemToo() {
    try (Backend backend = HostBackend.open()) {
      Stream stream = backend.device(0).stream();
      HiplabException made =
          refusedByACapture(backend, () -> backend.device(0).empty(DType.F32, 2, 2));
      assertThat(made)
          .isNotInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageStartingWith("a matrix [2, 2] f32: hipMalloc failed on device 0: ");
      assertThat(made.call()).isEqualTo("hipMalloc");
      assertThat(made.status()).isEqualTo(900);
      HiplabException asked = refusedByACapture(backend, stream::idle);
      assertThat(asked).hasMessageStartingWith("idle on stream ");
      assertThat(asked.call()).isEqualTo("hipStreamQuery");
      assertThat(asked.statusName()).isEqualTo("hipErrorStreamCaptureUnsupported");
      backend.device(0).empty(DType.F32, 2, 2).close();
    }
  }

  /** What a call throws while another stream captures globally: the call spoils that capture. */
  private static HiplabException refusedByACapture(Backend backend, ThrowingCallable call) {
    BackendRef ref = backend.use();
    try {
      var capturing = Native.createStream(ref, 0);
      Native.beginCapture(capturing, 0);
      HiplabException refused = catchThrowableOfType(call, HiplabException.class);
      assertThat(catchThrowableOfType(() -> Native.endCapture(capturing), HiplabException.class))
          .hasMessageContaining("hipErrorStreamCaptureInvalidated");
      Native.destroyStream(capturing);
      return refused;
    } finally {
      backend.done();
    }
  }

  @Test
  void anotherLibrarysStatusKeepsItsOwnNumber() {
    NativeLibrary.load();
    // The only call that can fail here is the one that is made to.
    Options options = HostBackend.options();
    BackendRef backend =
        Native.openBackend(options.toText() + "fail_call=rocblas_create_handle#1+:5\n");
    try {
      var stream = Native.createStream(backend, 0);
      var block = Native.allocate(backend, 0, 64);
      var result = Native.allocate(backend, 0, 64);
      HiplabException error =
          catchThrowableOfType(
              () -> Native.gemm(stream, 0, false, false, 2, 2, 2, 1, 1f, block, block, 0f, result),
              HiplabException.class);
      assertThat(error.call()).isEqualTo("rocblas_create_handle");
      assertThat(error.status()).isEqualTo(5);
      assertThat(error.statusName()).isEqualTo("rocblas_status_memory_error");
      assertThat(error.getMessage()).contains("rocblas_status_memory_error (5)");
      Native.freeBuffer(block);
      Native.freeBuffer(result);
      Native.destroyStream(stream);
    } finally {
      Native.closeBackend(backend);
    }
  }

  @Test
  void whatIsNoFailedCallTellsNone() {
    NativeLibrary.load();
    HiplabException error =
        catchThrowableOfType(() -> Native.openBackend("driver"), HiplabException.class);
    assertThat(error).hasMessage("option 'driver' has no value: write key=value");
    assertThat(error.call()).isEmpty();
    assertThat(error.status()).isZero();
    assertThat(error.statusName()).isEmpty();
    assertThat(new HiplabException("plain", new RuntimeException()).call()).isEmpty();
    assertThat(new HiplabException(null).getMessage()).isNull();
  }
}
