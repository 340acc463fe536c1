package dev.hiplab.rocm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hiplab.HiplabException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CheckTest {
  @BeforeAll
  static void onTheSoftwareDevice() {
    HostRawCalls.choose();
  }

  private static HiplabException thrown(ThrowingCallable call) {
    return catchThrowableOfType(call, HiplabException.class);
  }

  @Test
  void successReturns() {
    Check.hip(Hip.hipSuccess);
    Check.hiprtc("hiprtcVersion", HipRtc.HIPRTC_SUCCESS);
    Check.rocblas(RocBlas.rocblas_status_success);
    Check.hipblaslt("hipblasLtCreate", HipBlasLt.HIPBLAS_STATUS_SUCCESS);
  }

  @Test
  void aFailureNamesCallStatusAndTheNextStep() {
    HiplabException error = thrown(() -> Check.hip("hipSetDevice", Hip.hipSetDevice(9)));
    assertThat(error)
        .hasMessage(
            "hipSetDevice failed: hipErrorInvalidDevice (101); hipGetDeviceCount tells how many"
                + " there are, from 0");
    assertThat(error.call()).isEqualTo("hipSetDevice");
    assertThat(error.status()).isEqualTo(101);
    assertThat(error.statusName()).isEqualTo("hipErrorInvalidDevice");
    assertThat(thrown(() -> Check.hiprtc("hiprtcCompileProgram", 6)))
        .hasMessage(
            "hiprtcCompileProgram failed: HIPRTC_ERROR_COMPILATION (6); hiprtcGetProgramLog tells"
                + " why");
  }

  @Test
  void theLibraryIsNamedWhereTheCallIsNot() {
    HiplabException error = thrown(() -> Check.rocblas(1));
    assertThat(error)
        .hasMessageStartingWith("a rocBLAS call failed: rocblas_status_invalid_handle (1); ");
    assertThat(error.call()).isEmpty();
    assertThat(error.status()).isEqualTo(1);
    assertThat(thrown(() -> Check.hipblaslt(4)))
        .hasMessage("a hipBLASLt call failed: HIPBLAS_STATUS_MAPPING_ERROR (4)");
    assertThat(thrown(() -> Check.hip(700))).hasMessageContaining("start another");
  }

  @Test
  void aStatusWithoutANameKeepsItsNumber() {
    assertThat(thrown(() -> Check.hipblaslt("hipblasLtMatmul", 77)))
        .hasMessage("hipblasLtMatmul failed: an unnamed status (77)");
    assertThat(thrown(() -> Check.hip(-5)).status()).isEqualTo(-5);
  }
}
