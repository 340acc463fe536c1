package dev.hiplab.rocm;

/** What HIP's calls take, for the statuses that say no more than that it was something else. */
final class HipArguments {
  private static final String NO_NULL = "no argument may be null";
  private static final String NAMED = "; Check.hip with the call's name says what that call takes";

  private HipArguments() {}

  /** After hipErrorInvalidValue. */
  static String invalidValue(String call) {
    return switch (call) {
      case "" ->
          "an argument is null or of a value that the call does not take, or memory is not of"
              + " hipMalloc, was freed, or ends before the bytes do"
              + NAMED;
      case "hipMemcpy", "hipMemcpyAsync" ->
          "neither side may be null; the kind says which is device memory, and that has to hold all"
              + " the bytes in one allocation that was not freed";
      case "hipMemset", "hipMemsetAsync" ->
          "the bytes have to lie in one allocation of device memory that was not freed";
      case "hipFree" -> "pass the address that hipMalloc or hipMallocAsync gave, once";
      case "hipFreeAsync" ->
          "pass the address that hipMalloc or hipMallocAsync gave, once, and no stream that"
              + " captures";
      case "hipHostFree" -> "pass the address that hipHostMalloc gave, once";
      case "hipHostMalloc" -> "pass a Pointer for the address; flags 0 always will do";
      case "hipStreamCreateWithFlags" ->
          "pass a hipStream_t, and hipStreamDefault or hipStreamNonBlocking as flags";
      case "hipEventCreateWithFlags" ->
          "pass a hipEvent_t, and hipEventDefault or hipEventDisableTiming as flags, which are all"
              + " that the software device takes";
      case "hipStreamWaitEvent" -> "its flags are 0";
      case "hipStreamBeginCapture", "hipThreadExchangeStreamCaptureMode" ->
          "a mode is hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal or"
              + " hipStreamCaptureModeRelaxed";
      case "hipGraphInstantiate" ->
          "pass a hipGraphExec_t, and a graph of hipStreamEndCapture that was not destroyed";
      case "hipGraphDestroy" -> "pass a graph of hipStreamEndCapture, once";
      case "hipGraphExecDestroy" -> "pass what hipGraphInstantiate gave, once";
      case "hipGraphLaunch" ->
          "pass what hipGraphInstantiate gave and was not destroyed, and a stream of the device"
              + " that it was captured on";
      case "hipModuleLaunchKernel" ->
          "params holds the address of each argument that the kernel takes, none null; params or"
              + " extra, not both";
      default -> NO_NULL;
    };
  }

  /** After hipErrorInvalidHandle. */
  static String invalidHandle(String call) {
    return switch (call) {
      case "" -> "pass a stream, event, module or function that was not destroyed" + NAMED;
      case "hipStreamDestroy" -> "pass a stream that was not destroyed; the null stream cannot be";
      case "hipEventDestroy", "hipEventQuery", "hipEventSynchronize" ->
          "pass an event that was not destroyed";
      case "hipEventRecord" -> "pass an event and a stream that were not destroyed, of one device";
      case "hipEventElapsedTime" ->
          "pass two events of one device that were recorded, outside captures, and were created"
              + " without hipEventDisableTiming";
      case "hipStreamWaitEvent" ->
          "pass a stream and an event that were not destroyed; the null stream joins no capture";
      case "hipModuleGetFunction" -> "pass a module that was not unloaded";
      case "hipModuleUnload" -> "pass a module of hipModuleLoadData, once";
      case "hipModuleLaunchKernel" ->
          "pass a function whose module was not unloaded, and a stream of the device where that"
              + " was loaded";
      default -> "pass a stream that was not destroyed";
    };
  }
}
