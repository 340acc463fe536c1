package dev.hiplab.rocm;

import static dev.hiplab.rocm.HipRtc.*;
import static dev.hiplab.rocm.RocBlas.*;

import java.util.Arrays;

/**
 * What to do after a status, where there is something to do. A status with several causes has the
 * text of the call where the call is named, and else one that names them all.
 */
final class NextStep {
  private NextStep() {}

  /**
   * @param call as the caller named it; what is no function of the library tells no more than none
   */
  static String after(String library, String call, int status) {
    return switch (library) {
      case "hip" -> HipStep.after(known(Hip.class, call), status);
      case "hiprtc" -> afterHiprtc(status);
      case "rocblas" -> afterRocblas(known(RocBlas.class, call), status);
      case "hipblaslt" -> HipBlasLtStep.after(known(HipBlasLt.class, call), status);
      default -> "";
    };
  }

  private static String known(Class<?> library, String call) {
    // It gives back the status of another call.
    return !call.equals("hipGetLastError")
            && Arrays.stream(library.getMethods()).anyMatch(m -> m.getName().equals(call))
        ? call
        : "";
  }

  private static String afterHiprtc(int status) {
    return switch (status) {
      case HIPRTC_ERROR_OUT_OF_MEMORY -> "the machine has too little memory left for the compiler";
      case HIPRTC_ERROR_INVALID_INPUT ->
          "no pointer, source, header or option may be null, and no count negative";
      case HIPRTC_ERROR_INVALID_PROGRAM ->
          "pass a program that was created and not destroyed; it has code only after a"
              + " hiprtcCompileProgram that succeeded";
      case HIPRTC_ERROR_INVALID_OPTION ->
          "pass --offload-arch= with an architecture that hiprtc knows, such as gfx1151:"
              + " without one the call is not made, as it could end the process";
      case HIPRTC_ERROR_COMPILATION, HIPRTC_ERROR_INTERNAL_ERROR -> "hiprtcGetProgramLog tells why";
      default -> "";
    };
  }

  private static String afterRocblas(String call, int status) {
    return switch (status) {
      case rocblas_status_invalid_handle ->
          call.equals("rocblas_create_handle")
              ? "pass a rocblas_handle that the call fills"
              : "pass a handle of rocblas_create_handle";
      case rocblas_status_not_implemented ->
          "the software device computes rocblas_datatype_f32_r, f16_r and bf16_r, one type for A,"
              + " B, C and D, with rocblas_datatype_f32_r as compute type";
      case rocblas_status_invalid_pointer ->
          "no pointer may be null, and A, B, C and D lie each in one allocation on the handle's"
              + " device that holds all its columns, a leading dimension apart";
      case rocblas_status_invalid_size ->
          "sizes are not negative, and matrices are column-major: a leading dimension is at least"
              + " the rows of its matrix as stored, and 1; a text's buffer holds the whole text";
      case rocblas_status_memory_error ->
          "the device or the machine has no memory, or no thread, left for it: free some or use"
              + " fewer streams";
      case rocblas_status_internal_error -> rocblasInternalError(call);
      case rocblas_status_invalid_value ->
          call.equals("rocblas_set_stream")
              ? "pass a stream of the handle's device that was not destroyed"
              : "an operation is rocblas_operation_none, _transpose or _conjugate_transpose, the"
                  + " algorithm rocblas_gemm_algo_standard"
                  + (call.isEmpty() ? ", a stream one of the handle's device" : "");
      default -> "";
    };
  }

  private static String rocblasInternalError(String call) {
    String handle =
        "there is no device, it has faulted, or a stream captures: create and destroy handles"
            + " outside captures; RawCalls.describe() tells the device";
    String gemm =
        "the handle's stream was destroyed, its capture is spoilt or the device has faulted:"
            + " hipStreamGetCaptureInfo tells which; or OpenBLAS did not load, as standard error"
            + " says";
    return switch (call) {
      case "rocblas_create_handle", "rocblas_destroy_handle" -> handle;
      case "" -> "a handle: " + handle + "; a GEMM: " + gemm;
      default -> gemm;
    };
  }
}
