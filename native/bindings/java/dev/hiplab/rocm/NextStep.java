package dev.hiplab.rocm;

import static dev.hiplab.rocm.Hip.*;
import static dev.hiplab.rocm.HipBlasLt.*;
import static dev.hiplab.rocm.HipRtc.*;
import static dev.hiplab.rocm.RocBlas.*;

/** What to do after a status, where there is something to do. */
final class NextStep {
  private NextStep() {}

  static String after(String library, int status) {
    return switch (library) {
      case "hip" -> afterHip(status);
      case "hiprtc" -> afterHiprtc(status);
      case "rocblas" -> afterRocblas(status);
      case "hipblaslt" -> afterHipblaslt(status);
      default -> "";
    };
  }

  private static String afterHip(int status) {
    return switch (status) {
      case hipErrorOutOfMemory -> "ask for less or free some: hipMemGetInfo tells what is free";
      case hipErrorNoDevice ->
          "RawCalls.describe() says what raw calls go to; driver host has a device";
      case hipErrorInvalidDevice -> "hipGetDeviceCount tells how many there are, from 0";
      case hipErrorNoBinaryForGpu -> "compile with --offload-arch= and the device's gcnArchName";
      case hipErrorInvalidHandle -> "pass a stream, event or module that was not destroyed";
      case hipErrorNotFound ->
          "hipModuleGetFunction finds names that are declared extern \"C\" alone";
      case hipErrorNotReady ->
          "work is still queued, which is no failure: ask again or synchronize";
      case hipErrorIllegalAddress, hipErrorLaunchFailure ->
          "the device has faulted, and every later HIP call of this process fails: start another";
      case hipErrorStreamCaptureUnsupported, hipErrorStreamCaptureImplicit ->
          "make the call before the capture, or under hipThreadExchangeStreamCaptureMode with"
              + " hipStreamCaptureModeRelaxed";
      case hipErrorStreamCaptureInvalidated ->
          "end the capture, which gives no graph, and capture again without the call that spoilt"
              + " it";
      case hipErrorStreamCaptureUnjoined ->
          "let the capturing stream wait for an event of each stream that joined";
      default -> "";
    };
  }

  private static String afterHiprtc(int status) {
    return switch (status) {
      case HIPRTC_ERROR_COMPILATION -> "hiprtcGetProgramLog tells why";
      case HIPRTC_ERROR_INVALID_OPTION ->
          "pass --offload-arch= with an architecture that hiprtc knows, such as gfx1151:"
              + " without one the call is not made, as it could end the process";
      case HIPRTC_ERROR_INVALID_PROGRAM -> "pass a program that was created and not destroyed";
      default -> "";
    };
  }

  private static String afterRocblas(int status) {
    return switch (status) {
      case rocblas_status_invalid_handle -> "pass a handle of rocblas_create_handle";
      case rocblas_status_invalid_pointer ->
          "A, B, C and D are device memory of hipMalloc, alpha and beta are not null";
      case rocblas_status_invalid_size ->
          "matrices are column-major: a leading dimension is at least the number of rows";
      case rocblas_status_internal_error ->
          "without a device rocblas_create_handle ends so: RawCalls.describe() tells";
      default -> "";
    };
  }

  private static String afterHipblaslt(int status) {
    return switch (status) {
      case HIPBLAS_STATUS_NOT_INITIALIZED ->
          "hipBLASLt needs a device, and without one the call is not made, as it would end the"
              + " process: RawCalls.describe() tells";
      case HIPBLAS_STATUS_INTERNAL_ERROR ->
          "hipblasLtCreate is not made while a stream captures, as it would end the process:"
              + " create the handle before the capture";
      case HIPBLAS_STATUS_INVALID_VALUE ->
          "layouts are column-major; an attribute has the size of its C type, 4 or 8 bytes";
      case HIPBLAS_STATUS_NOT_SUPPORTED ->
          "no algorithm fits: hipblasLtMatmulAlgoGetHeuristic tells which do";
      default -> "";
    };
  }
}
