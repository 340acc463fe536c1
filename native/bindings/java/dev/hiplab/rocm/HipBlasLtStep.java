package dev.hiplab.rocm;

import static dev.hiplab.rocm.HipBlasLt.*;

/** What to do after a status of hipBLASLt, as {@link HipStep}. */
final class HipBlasLtStep {
  private static final String SHAPES =
      "D is m x n, C as D, A and B as stored (k x m and n x k where transposed), column-major with a"
          + " leading dimension of at least the rows, one batch count, no size 0";
  private static final String ATTRIBUTE =
      "an attribute has the size of its C type, 4 or 8 bytes; an operation is HIPBLAS_OP_N, _T or"
          + " _C, a batch count at least 1";
  private static final String LAUNCH =
      "each matrix lies whole in memory of the handle's device, the algorithm is one that"
          + " hipblasLtMatmulAlgoGetHeuristic gave for this problem, the workspace is device memory"
          + " of its workspaceSize, and the stream was not destroyed";
  private static final String NO_NULL = "no pointer, handle or descriptor may be null";

  private HipBlasLtStep() {}

  static String after(String call, int status) {
    return switch (status) {
      case HIPBLAS_STATUS_NOT_INITIALIZED ->
          "hipBLASLt needs a device, and without one the call is not made, as it would end the"
              + " process: RawCalls.describe() tells";
      case HIPBLAS_STATUS_ALLOC_FAILED ->
          "the device or the machine has no memory, or no thread, left for it: free some or use"
              + " fewer streams";
      case HIPBLAS_STATUS_INVALID_VALUE -> invalidValue(call);
      case HIPBLAS_STATUS_EXECUTION_FAILED ->
          "the stream's capture is spoilt, or the device has faulted: hipStreamGetCaptureInfo tells"
              + " which";
      case HIPBLAS_STATUS_INTERNAL_ERROR -> internalError(call);
      case HIPBLAS_STATUS_NOT_SUPPORTED -> notSupported(call);
      case HIPBLAS_STATUS_HANDLE_IS_NULLPTR -> "pass a handle of hipblasLtCreate";
      default -> "";
    };
  }

  private static String invalidValue(String call) {
    if (call.isEmpty()) {
      return String.join("; ", NO_NULL, ATTRIBUTE, SHAPES, LAUNCH);
    }
    if (call.endsWith("SetAttribute")) {
      return ATTRIBUTE;
    }
    return switch (call) {
      case "hipblasLtMatmulAlgoGetHeuristic" ->
          NO_NULL + ", and at least one result is asked for; " + SHAPES;
      case "hipblasLtMatmul" -> NO_NULL + "; " + SHAPES + "; " + LAUNCH;
      default -> NO_NULL;
    };
  }

  private static String internalError(String call) {
    String create =
        "hipblasLtCreate is not made while a stream captures, as it would end the process:"
            + " create the handle before the capture";
    String destroy =
        "hipblasLtDestroy waits for the device, which a capture forbids: end it first; or the device"
            + " has faulted";
    String matmul = "OpenBLAS did not load, as standard error says";
    return switch (call) {
      case "hipblasLtCreate" -> create + "; or the device has faulted";
      case "hipblasLtDestroy" -> destroy;
      case "hipblasLtMatmul" -> matmul;
      default -> create + "; " + destroy + "; hipblasLtMatmul: " + matmul;
    };
  }

  private static String notSupported(String call) {
    String types =
        "the software device computes HIP_R_32F, HIP_R_16F and HIP_R_16BF, one type for A, B, C and"
            + " D; and, where its profile has fp8, HIP_R_8F_E4M3 with A transposed and B not to"
            + " HIP_R_16BF";
    String desc = "the software device computes with HIPBLAS_COMPUTE_32F and scale type HIP_R_32F";
    String attribute =
        "the software device knows TRANSA, TRANSB, EPILOGUE 1 (none), BATCH_COUNT,"
            + " STRIDED_BATCH_OFFSET and MAX_WORKSPACE_BYTES";
    String destroy =
        "a host function that destroys a handle never returns under HIP: do so on another thread";
    if (call.endsWith("SetAttribute")) {
      return attribute;
    }
    return switch (call) {
      case "hipblasLtMatmulDescCreate" -> desc;
      case "hipblasLtDestroy" -> destroy;
      case "hipblasLtMatmul", "hipblasLtMatmulAlgoGetHeuristic" -> types;
      default -> String.join("; ", types, desc, attribute, destroy);
    };
  }
}
