package dev.hiplab.rocm;

import static dev.hiplab.rocm.Hip.*;
import static dev.hiplab.rocm.HipBlasLt.*;
import static dev.hiplab.rocm.HipRtc.*;
import static dev.hiplab.rocm.RocBlas.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.HiplabException;
import dev.hiplab.Kernel;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import org.assertj.core.api.AbstractThrowableAssert;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Steps of statuses that were provoked, each with what is allowed there. */
class NextStepTest {
  @BeforeAll
  static void onTheSoftwareDevice() {
    HostRawCalls.choose();
  }

  private static AbstractThrowableAssert<?, ?> hip(String call, int status) {
    return assertThatThrownBy(() -> Check.hip(call, status)).isInstanceOf(HiplabException.class);
  }

  private static AbstractThrowableAssert<?, ?> rocblas(String call, int status) {
    return assertThatThrownBy(() -> Check.rocblas(call, status));
  }

  private static AbstractThrowableAssert<?, ?> hipblaslt(String call, int status) {
    return assertThatThrownBy(() -> Check.hipblaslt(call, status));
  }

  /** Those that no call of the software device returns, and of which ROCm says no more. */
  @Test
  void everyOtherStatusHasAStep() throws Exception {
    assertThat(withoutStep("hip", Hip.class, "hipError"))
        .containsExactlyInAnyOrder(
            "hipErrorNotInitialized", "hipErrorDeinitialized", "hipErrorUnknown");
    assertThat(withoutStep("hiprtc", HipRtc.class, "HIPRTC_ERROR_"))
        .containsExactly("HIPRTC_ERROR_PROGRAM_CREATION_FAILURE");
    assertThat(withoutStep("rocblas", RocBlas.class, "rocblas_status_"))
        .containsExactlyInAnyOrder("rocblas_status_success", "rocblas_status_arch_mismatch");
    assertThat(withoutStep("hipblaslt", HipBlasLt.class, "HIPBLAS_STATUS_"))
        .containsExactlyInAnyOrder(
            "HIPBLAS_STATUS_SUCCESS",
            "HIPBLAS_STATUS_MAPPING_ERROR",
            "HIPBLAS_STATUS_ARCH_MISMATCH",
            "HIPBLAS_STATUS_INVALID_ENUM",
            "HIPBLAS_STATUS_UNKNOWN");
  }

  private static List<String> withoutStep(String library, Class<?> constants, String prefix)
      throws Exception {
    List<String> names = new ArrayList<>();
    for (var field : constants.getFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && field.getType() == int.class
          && field.getName().startsWith(prefix)
          && NextStep.after(library, "", field.getInt(null)).isEmpty()) {
        names.add(field.getName());
      }
    }
    return names;
  }

  /** An unnamed call, or one by a name of the caller's own, gets what holds for every call. */
  @Test
  void aCallThatIsNotKnownGetsAllCauses() {
    String all = NextStep.after("hip", "", hipErrorInvalidValue);
    assertThat(all).contains("null").contains("freed").contains("call's name");
    for (String call : List.of("my copy", "hipGetLastError", "rocblas_sgemm")) {
      assertThat(NextStep.after("hip", call, hipErrorInvalidValue)).isEqualTo(all);
    }
    assertThat(NextStep.after("hip", "", hipErrorNotSupported))
        .contains("host function")
        .contains("dynamic shared memory")
        .contains("stays on the device");
    assertThat(NextStep.after("hipblaslt", "", HIPBLAS_STATUS_INTERNAL_ERROR))
        .contains("hipblasLtCreate")
        .contains("hipblasLtDestroy")
        .contains("OpenBLAS");
  }

  @Test
  void memory() {
    Pointer memory = HostRawCalls.upload(1, 2);
    try (FloatPointer host = new FloatPointer(8)) {
      hip("hipMemcpy", hipMemcpy(memory, host, 32, hipMemcpyHostToDevice))
          .hasMessageContaining("hipErrorInvalidValue (1); ")
          .hasMessageContaining("all the bytes in one allocation");
      hip("hipMemcpy", hipMemcpy(memory, host, 8, 9)).hasMessageContaining("hipMemcpyDefault (4)");
      hip("hipMemset", hipMemset(memory, 0, 9)).hasMessageContaining("one allocation");
    }
    Pointer none = new Pointer();
    hip("hipMalloc", hipMalloc(none, -1)).hasMessageContaining("a negative size is a huge one");
    hip("hipHostMalloc", hipHostMalloc(none, -1, 0)).hasMessageContaining("a negative size");
    Check.hip(hipFree(memory));
    hip("hipFree", hipFree(memory)).hasMessageContaining("hipMallocAsync gave, once");
  }

  @Test
  void streamsAndEvents() {
    hipStream_t stream = HostRawCalls.stream();
    hipEvent_t event = new hipEvent_t();
    hip("hipEventCreateWithFlags", hipEventCreateWithFlags(event, 64))
        .hasMessageContaining("hipEventDisableTiming");
    hip("hipStreamCreateWithFlags", hipStreamCreateWithFlags(new hipStream_t(), 8))
        .hasMessageContaining("hipStreamNonBlocking");
    Check.hip(hipEventCreateWithFlags(event, hipEventDisableTiming));
    hip("hipStreamWaitEvent", hipStreamWaitEvent(stream, event, 3))
        .hasMessageContaining("flags are 0");
    hip("hipEventElapsedTime", hipEventElapsedTime(new float[1], event, event))
        .hasMessageContaining("without hipEventDisableTiming");
    hip("hipStreamDestroy", hipStreamDestroy(null)).hasMessageContaining("null stream cannot be");
    Check.hip(hipEventDestroy(event));
    hip("hipEventRecord", hipEventRecord(event, stream)).hasMessageContaining("of one device");
    Check.hip(hipStreamDestroy(stream));
    hip("hipStreamQuery", hipStreamQuery(stream)).hasMessageContaining("pass a stream");
  }

  @Test
  void captures() throws Exception {
    hipStream_t stream = HostRawCalls.stream();
    hipStream_t other = HostRawCalls.stream();
    hipEvent_t before = new hipEvent_t();
    Check.hip(hipEventCreateWithFlags(before, hipEventDefault));
    hip("hipStreamEndCapture", hipStreamEndCapture(stream, new hipGraph_t()))
        .hasMessageContaining("(401); the stream does not capture");
    hip("hipStreamBeginCapture", hipStreamBeginCapture(null, hipStreamCaptureModeGlobal))
        .hasMessageContaining("the null stream cannot capture");
    hip("hipStreamBeginCapture", hipStreamBeginCapture(stream, 7))
        .hasMessageContaining("hipStreamCaptureModeRelaxed");

    begin(stream);
    hip("hipStreamBeginCapture", hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed))
        .hasMessageContaining("(401); the stream captures already");
    Pointer memory = new Pointer();
    hip("hipMallocAsync", hipMallocAsync(memory, 16, stream)).hasMessageContaining("do so before");
    hip("hipStreamWaitEvent", hipStreamWaitEvent(stream, before, 0))
        .hasMessageContaining("(905); the event was not recorded in this capture");
    lost(stream);

    begin(stream);
    hip("hipStreamQuery", hipStreamQuery(stream)).hasMessageContaining("end its capture first");
    lost(stream);
    begin(stream);
    hip("hipDeviceSynchronize", hipDeviceSynchronize()).hasMessageContaining("of any mode");
    lost(stream);
    begin(stream);
    try (FloatPointer host = new FloatPointer(1)) {
      hip("hipMemcpy", hipMemcpy(host, host, 4, hipMemcpyHostToHost))
          .hasMessageContaining("(906); end every capture first");
    }
    lost(stream);
    begin(stream);
    Check.hip(hipEventRecord(before, stream));
    hip("hipEventSynchronize", hipEventSynchronize(before))
        .hasMessageContaining("(907); the event was recorded in an open capture");
    lost(stream);

    begin(stream);
    Check.hip(hipEventRecord(before, stream));
    Check.hip(hipStreamWaitEvent(other, before, 0));
    hip("hipStreamEndCapture", hipStreamEndCapture(other, new hipGraph_t()))
        .hasMessageContaining("(903); end the capture on the stream where it began");
    Check.hip(hipLaunchHostFuncOn(other));
    hip("hipStreamEndCapture", hipStreamEndCapture(stream, new hipGraph_t()))
        .hasMessageContaining("(904); let the capturing stream wait");

    begin(stream);
    begin(other);
    Check.hip(hipEventRecord(before, stream));
    hip("hipStreamWaitEvent", hipStreamWaitEvent(other, before, 0))
        .hasMessageContaining("(902); the event belongs to another capture");
    lost(stream);
    lost(other);

    Check.hip(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    int[] status = new int[1];
    Thread thread = new Thread(() -> status[0] = hipStreamEndCapture(stream, new hipGraph_t()));
    thread.start();
    thread.join();
    hip("hipStreamEndCapture", status[0]).hasMessageContaining("(908); end the capture on the");
    Check.hip(hipStreamDestroy(stream));
    Check.hip(hipStreamDestroy(other));
    Check.hip(hipEventDestroy(before));
  }

  private static void begin(hipStream_t stream) {
    Check.hip(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  }

  private static int hipLaunchHostFuncOn(hipStream_t stream) {
    return HostFunctions.launch(stream, () -> {});
  }

  private static void lost(hipStream_t stream) {
    hip("hipStreamEndCapture", hipStreamEndCapture(stream, new hipGraph_t()))
        .hasMessageContaining("(901); end the capture, which gives no graph");
  }

  @Test
  void modules() {
    hipModule_t module = new hipModule_t();
    try (BytePointer garbage = new BytePointer(4096)) {
      Pointer.memset(garbage, 7, 4096);
      hip("hipModuleLoadData", hipModuleLoadData(module, garbage))
          .hasMessageContaining("hiprtcGetCode gave");
    }
    hip("hipModuleUnload", hipModuleUnload(module)).hasMessageContaining("once");
    assertThatThrownBy(
            () ->
                Check.hiprtc(
                    "hiprtcCreateProgram",
                    hiprtcCreateProgram(new hiprtcProgram(), "", "x", -1, null, null)))
        .hasMessageContaining("HIPRTC_ERROR_INVALID_INPUT (3); no pointer");
    assertThat(NextStep.after("hiprtc", "", HIPRTC_ERROR_INVALID_PROGRAM))
        .contains("only after a hiprtcCompileProgram that succeeded");
  }

  @Test
  void launches() {
    byte[] bytes;
    try (Kernel kernel = Kernel.of("extern \"C\" __global__ void k(int* x) { *x = 1; }", "k")) {
      bytes = kernel.compileFor("splitk");
    }
    hipModule_t module = new hipModule_t();
    try (BytePointer code = new BytePointer(bytes)) {
      Check.hip(hipModuleLoadData(module, code));
    }
    hipFunction_t function = new hipFunction_t();
    hip("hipModuleGetFunction", hipModuleGetFunction(function, module, "wrong"))
        .hasMessageContaining("by names declared extern \"C\"");
    Check.hip(hipModuleGetFunction(function, module, "k"));
    launch(function, 2048, 0).hasMessageContaining("at most maxThreadsPerBlock threads (1024");
    launch(function, 1, 64).hasMessageContaining("(801); the software device has no dynamic");
    launch(function, 1, 0).hasMessageContaining("(1); params holds the address of each argument");
    Check.hip(hipModuleUnload(module));
    launch(function, 1, 0).hasMessageContaining("(400); pass a function whose module was not");
  }

  private static AbstractThrowableAssert<?, ?> launch(
      hipFunction_t function, int block, int shared) {
    return hip(
        "hipModuleLaunchKernel",
        hipModuleLaunchKernel(function, 1, 1, 1, block, 1, 1, shared, null, null, null));
  }

  @Test
  void rocblasGemms() {
    Pointer small = HostRawCalls.upload(1, 2, 3, 4);
    rocblas_handle handle = new rocblas_handle();
    Check.rocblas(rocblas_create_handle(handle));
    gemm(handle, small, 64, 64, rocblas_datatype_f32_r, rocblas_operation_none)
        .hasMessageContaining("one allocation on the handle's device that holds all its columns");
    gemm(handle, small, 2, 1, rocblas_datatype_f32_r, rocblas_operation_none)
        .hasMessageContaining("(4); sizes are not negative");
    gemm(handle, small, 2, 2, 152, rocblas_operation_none)
        .hasMessageContaining("(2); the software device computes rocblas_datatype_f32_r, f16_r");
    gemm(handle, small, 2, 2, rocblas_datatype_f32_r, 5)
        .hasMessageContaining("(11); an operation is rocblas_operation_none");
    hipStream_t stream = HostRawCalls.stream();
    Check.hip(hipStreamDestroy(stream));
    rocblas("rocblas_set_stream", rocblas_set_stream(handle, stream))
        .hasMessageContaining("a stream of the handle's device");
    rocblas("rocblas_create_handle", rocblas_create_handle(null))
        .hasMessageContaining("that the call fills");
    Check.rocblas(rocblas_destroy_handle(handle));
    Check.hip(hipFree(small));
  }

  private static AbstractThrowableAssert<?, ?> gemm(
      rocblas_handle handle, Pointer all, int size, int ld, int type, int operation) {
    try (FloatPointer one = new FloatPointer(1f)) {
      IntSupplier call =
          () ->
              rocblas_gemm_ex(
                  handle,
                  operation,
                  rocblas_operation_none,
                  size,
                  size,
                  size,
                  one,
                  all,
                  type,
                  ld,
                  all,
                  type,
                  ld,
                  one,
                  all,
                  type,
                  ld,
                  all,
                  type,
                  ld,
                  rocblas_datatype_f32_r,
                  rocblas_gemm_algo_standard,
                  0,
                  0);
      return rocblas("rocblas_gemm_ex", call.getAsInt());
    }
  }

  @Test
  void hipblasltObjects() {
    hipblasLtMatmulDesc_t desc = new hipblasLtMatmulDesc_t();
    hipblaslt("hipblasLtMatmulDescCreate", hipblasLtMatmulDescCreate(desc, 9, HIP_R_32I))
        .hasMessageContaining("HIPBLAS_COMPUTE_32F");
    Check.hipblaslt(hipblasLtMatmulDescCreate(desc, HIPBLAS_COMPUTE_32F, HIP_R_32F));
    try (IntPointer value = new IntPointer(1).put(1)) {
      hipblaslt(
              "hipblasLtMatmulDescSetAttribute",
              hipblasLtMatmulDescSetAttribute(desc, 999, value, 4))
          .hasMessageContaining("(7); the software device knows TRANSA, TRANSB, EPILOGUE 1");
      hipblaslt(
              "hipblasLtMatmulDescSetAttribute",
              hipblasLtMatmulDescSetAttribute(desc, HIPBLASLT_MATMUL_DESC_TRANSA, value, 4))
          .hasMessageContaining("(3); an attribute has the size of its C type")
          .hasMessageContaining("HIPBLAS_OP_N");
    }
    hipblaslt("hipblasLtMatrixLayoutDestroy", hipblasLtMatrixLayoutDestroy(null))
        .hasMessageContaining("(3); no pointer, handle or descriptor may be null");
    hipblaslt("hipblasLtDestroy", hipblasLtDestroy(null))
        .hasMessageContaining("pass a handle of hipblasLtCreate");
    hipblasLtMatrixLayout_t layout = new hipblasLtMatrixLayout_t();
    Check.hipblaslt(hipblasLtMatrixLayoutCreate(layout, HIP_R_32F, 64, 64, 64));
    hipblasLtHandle_t handle = new hipblasLtHandle_t();
    Check.hipblaslt(hipblasLtCreate(handle));
    Pointer small = HostRawCalls.upload(1, 2, 3, 4);
    try (FloatPointer one = new FloatPointer(1f)) {
      hipblaslt(
              "hipblasLtMatmul",
              hipblasLtMatmul(
                  handle, desc, one, small, layout, small, layout, one, small, layout, small,
                  layout, null, null, 0, null))
          .hasMessageContaining("(3); no pointer, handle or descriptor")
          .hasMessageContaining("each matrix lies whole in memory of the handle's device");
    }
    Check.hip(hipFree(small));
    Check.hipblaslt(hipblasLtDestroy(handle));
    Check.hipblaslt(hipblasLtMatrixLayoutDestroy(layout));
    Check.hipblaslt(hipblasLtMatmulDescDestroy(desc));
    for (String call : Arrays.asList("hipblasLtMatmul", "hipblasLtMatmulAlgoGetHeuristic")) {
      assertThat(NextStep.after("hipblaslt", call, HIPBLAS_STATUS_NOT_SUPPORTED))
          .contains("HIP_R_16BF, one type");
      assertThat(NextStep.after("hipblaslt", call, HIPBLAS_STATUS_INVALID_VALUE))
          .contains("D is m x n");
    }
  }
}
