package dev.hiplab.rocm;

import static dev.hiplab.rocm.Hip.*;
import static dev.hiplab.rocm.HipBlasLt.*;
import static dev.hiplab.rocm.HipRtc.*;
import static dev.hiplab.rocm.RocBlas.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Backend;
import dev.hiplab.Options;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each library on the software device: a call that works, and one that tells what is wrong. */
class RawCallsTest {
  private static String described;

  @BeforeAll
  static void onTheSoftwareDevice() {
    described = HostRawCalls.choose();
  }

  @Test
  void callsGoWhereABackendWithTheSameOptionsGoes() {
    assertThat(described).startsWith("host: software device, profile splitk, 1 device (host: ");
    try (Backend backend = Backend.open(Options.defaults().withDriver("host"))) {
      assertThat(backend.describe()).startsWith(described);
    }
  }

  @Test
  void hipAnswers() {
    int[] count = new int[1];
    assertThat(hipGetDeviceCount(count)).isEqualTo(hipSuccess);
    assertThat(count[0]).isEqualTo(1);
    Pointer memory = HostRawCalls.upload(1, 2, 3);
    assertThat(HostRawCalls.download(memory, 3)).containsExactly(1, 2, 3);
    assertThat(hipFree(memory)).isEqualTo(hipSuccess);
    assertThat(hipFree(memory)).as("freed already").isEqualTo(hipErrorInvalidValue);
    assertThat(hipSetDevice(7)).isEqualTo(hipErrorInvalidDevice);
    assertThat(hipStreamSynchronize(new hipStream_t(new IntPointer(1))))
        .as("a handle that HIP did not give out")
        .isEqualTo(hipErrorInvalidHandle);
    hipStream_t stream = HostRawCalls.stream();
    assertThat(hipStreamDestroy(stream)).isEqualTo(hipSuccess);
    assertThat(hipStreamQuery(stream)).isEqualTo(hipErrorInvalidHandle);
    assertThat(hipGetErrorName(hipErrorInvalidHandle)).isEqualTo("hipErrorInvalidHandle");
  }

  @Test
  void structsHaveRocmsLayout() {
    try (hipDeviceProp_tR0600 properties = new hipDeviceProp_tR0600()) {
      assertThat(properties.sizeof()).isEqualTo(1472);
      assertThat(hipGetDevicePropertiesR0600(properties, 0)).isEqualTo(hipSuccess);
      assertThat(properties.name().getString()).startsWith("hiplab software device");
      assertThat(properties.gcnArchName().getString()).isEqualTo("splitk");
      assertThat(properties.gcnArchName().address() - properties.address()).isEqualTo(1160);
      assertThat(properties.totalGlobalMem()).isPositive();
      assertThat(properties.warpSize()).isEqualTo(32);
      assertThat(properties.maxThreadsPerBlock()).isEqualTo(1024);
    }
    try (hipblasLtMatmulHeuristicResult_t result = new hipblasLtMatmulHeuristicResult_t(2)) {
      assertThat(result.sizeof()).isEqualTo(56);
      assertThat(result.algo().sizeof()).isEqualTo(24);
      result.position(1).workspaceSize(7);
      assertThat(new SizeTPointer(result.position(0)).get((56 + 24) / 8)).isEqualTo(7);
    }
  }

  /** Read off ROCm's headers, not off this project's. */
  @Test
  void constantsHaveRocmsValues() {
    assertThat(new int[] {hipErrorNoDevice, hipErrorIllegalAddress, hipErrorUnknown})
        .containsExactly(100, 700, 999);
    assertThat(new int[] {hipErrorStreamCaptureUnsupported, hipErrorStreamCaptureWrongThread})
        .containsExactly(900, 908);
    assertThat(new int[] {hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDefault})
        .containsExactly(1, 2, 4);
    assertThat(new int[] {hipStreamNonBlocking, hipEventDisableTiming}).containsExactly(1, 2);
    assertThat(new int[] {HIPRTC_ERROR_COMPILATION, HIPRTC_ERROR_INTERNAL_ERROR})
        .containsExactly(6, 11);
    assertThat(new int[] {rocblas_operation_transpose, rocblas_datatype_bf16_r})
        .containsExactly(112, 168);
    assertThat(rocblas_status_arch_mismatch).isEqualTo(15);
    assertThat(new int[] {HIPBLAS_OP_T, HIPBLAS_COMPUTE_32F, HIP_R_16BF, HIP_R_8F_E4M3})
        .containsExactly(112, 2, 14, 28);
    assertThat(HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES).isEqualTo(1);
    assertThat(HIPBLAS_STATUS_HANDLE_IS_NULLPTR).isEqualTo(9);
  }

  @Test
  void hiprtcCompilesAndTellsWhatItCannot() {
    int[] version = new int[2];
    assertThat(hiprtcVersion(version, new int[1])).isEqualTo(HIPRTC_SUCCESS);
    assertThat(version[0]).isEqualTo(9);
    hiprtcProgram program = new hiprtcProgram();
    String source = "extern \"C\" __global__ void k() { nobody_knows_this; }";
    assertThat(hiprtcCreateProgram(program, source, "k.hip", 0, null, null)).isZero();
    assertThat(hiprtcCompileProgram(program, 1, new PointerPointer<>("--offload-arch=gfx1151")))
        .isEqualTo(HIPRTC_ERROR_COMPILATION);
    SizeTPointer size = new SizeTPointer(1);
    assertThat(hiprtcGetProgramLogSize(program, size)).isZero();
    BytePointer log = new BytePointer(size.get());
    assertThat(hiprtcGetProgramLog(program, log)).isZero();
    assertThat(log.getString()).contains("nobody_knows_this").contains("k.hip");
    assertThat(hiprtcGetCodeSize(program, size)).isEqualTo(HIPRTC_ERROR_INVALID_PROGRAM);
    hiprtcProgram copy = new hiprtcProgram(program);
    assertThat(hiprtcDestroyProgram(program)).isZero();
    assertThat(program.isNull()).as("the call clears the handle").isTrue();
    assertThat(hiprtcDestroyProgram(copy)).isEqualTo(HIPRTC_ERROR_INVALID_PROGRAM);
  }

  @Test
  void rocblasAnswers() {
    SizeTPointer length = new SizeTPointer(1);
    assertThat(rocblas_get_version_string_size(length)).isZero();
    BytePointer text = new BytePointer(length.get());
    assertThat(rocblas_get_version_string(text, length.get())).isZero();
    assertThat(text.getString().trim()).isEqualTo("4.4.4.hiplab-host");
    assertThat(rocblas_set_stream(null, null)).isEqualTo(rocblas_status_invalid_handle);
    rocblas_handle handle = new rocblas_handle();
    assertThat(rocblas_create_handle(handle)).isZero();
    try (FloatPointer scalar = new FloatPointer(1f);
        FloatPointer onTheHost = new FloatPointer(4)) {
      assertThat(
              rocblas_sgemm(
                  handle,
                  rocblas_operation_none,
                  rocblas_operation_none,
                  2,
                  2,
                  2,
                  scalar,
                  onTheHost,
                  2,
                  onTheHost,
                  2,
                  scalar,
                  onTheHost,
                  2))
          .isEqualTo(rocblas_status_invalid_pointer);
    }
    assertThat(rocblas_destroy_handle(handle)).isZero();
  }

  @Test
  void hipblasltAnswers() {
    hipblasLtHandle_t handle = new hipblasLtHandle_t();
    assertThat(hipblasLtCreate(handle)).isZero();
    int[] version = new int[1];
    assertThat(hipblasLtGetVersion(handle, version)).isZero();
    assertThat(version[0]).isPositive();
    hipblasLtMatrixLayout_t layout = new hipblasLtMatrixLayout_t();
    assertThat(hipblasLtMatrixLayoutCreate(layout, HIP_R_16BF, 4, 4, 4)).isZero();
    assertThat(
            hipblasLtMatrixLayoutSetAttribute(
                layout, HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, new IntPointer(1).put(2), 8))
        .as("4 bytes are right")
        .isEqualTo(HIPBLAS_STATUS_INVALID_VALUE);
    assertThat(hipblasLtMatrixLayoutDestroy(layout)).isZero();
    assertThat(hipblasLtDestroy(handle)).isZero();
    assertThat(hipblasLtDestroy(null)).isEqualTo(HIPBLAS_STATUS_HANDLE_IS_NULLPTR);
  }

  /** On ROCm that call ends the process. */
  @Test
  void noHandleIsCreatedInACapture() {
    hipStream_t stream = HostRawCalls.stream();
    hipblasLtHandle_t handle = new hipblasLtHandle_t();
    assertThat(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed)).isZero();
    assertThat(hipblasLtCreate(handle)).isEqualTo(HIPBLAS_STATUS_INTERNAL_ERROR);
    assertThat(handle.isNull()).isTrue();
    hipGraph_t graph = new hipGraph_t();
    assertThat(hipStreamEndCapture(stream, graph)).as("the capture goes on").isZero();
    assertThat(hipGraphDestroy(graph)).isZero();
    assertThat(hipblasLtCreate(handle)).isZero();
    assertThat(hipblasLtDestroy(handle)).isZero();

    assertThat(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed)).isZero();
    assertThat(hipStreamDestroy(stream)).as("which ends it, too").isZero();
    assertThat(hipblasLtCreate(handle)).isZero();
    assertThat(hipblasLtDestroy(handle)).isZero();
  }
}
