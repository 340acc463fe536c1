package dev.hiplab.rocm;

import static dev.hiplab.rocm.Hip.*;

/**
 * What to do after a status of HIP. A status that several calls return has a text of the call where
 * the call is named, and else one that names all causes.
 */
final class HipStep {
  private HipStep() {}

  static String after(String call, int status) {
    return switch (status) {
      case hipErrorInvalidValue -> HipArguments.invalidValue(call);
      case hipErrorInvalidHandle -> HipArguments.invalidHandle(call);
      case hipErrorOutOfMemory -> outOfMemory(call);
      case hipErrorInvalidMemcpyDirection ->
          "the kind is one of hipMemcpyHostToHost (0) to hipMemcpyDefault (4)";
      case hipErrorInvalidConfiguration ->
          "grid and block are at least 1 each way, a block has at most maxThreadsPerBlock threads"
              + " (1024 on the software device), and the grid less than 2^32 threads each way";
      case hipErrorInvalidImage ->
          "pass the code that hiprtcGetCode gave, the whole of it; where that was passed, standard"
              + " error says what kept it from loading";
      case hipErrorNoDevice ->
          "RawCalls.describe() says what raw calls go to; driver host has a device";
      case hipErrorInvalidDevice -> "hipGetDeviceCount tells how many there are, from 0";
      case hipErrorNoBinaryForGpu -> "compile with --offload-arch= and the device's gcnArchName";
      case hipErrorIllegalState -> illegalState(call);
      case hipErrorNotFound ->
          "hipModuleGetFunction finds kernels of the module, by names declared extern \"C\"";
      case hipErrorNotReady ->
          "work is still queued, which is no failure: ask again or synchronize";
      case hipErrorIllegalAddress ->
          "the device has faulted, and every later HIP call of this process fails: start another";
      case hipErrorLaunchFailure ->
          "work failed as it ran, and its stream tells so from now on: destroy the stream; where"
              + " calls on others fail too, the device has faulted: start another process";
      case hipErrorNotSupported -> notSupported(call);
      default -> inCapture(call, status);
    };
  }

  private static String outOfMemory(String call) {
    return switch (call) {
      case "hipMalloc", "hipMallocAsync" ->
          "ask for less or free some: hipMemGetInfo tells what is free, and a negative size is a"
              + " huge one";
      case "hipHostMalloc" -> "ask for less or free some; a negative size is a huge one";
      default ->
          "device memory: ask for less or free some, hipMemGetInfo tells what is free; else the"
              + " machine has no memory or no thread left for it: use fewer streams";
    };
  }

  private static String illegalState(String call) {
    String begin = "the stream captures already: end that capture first";
    String end = "the stream does not capture: hipStreamBeginCapture begins";
    return switch (call) {
      case "hipStreamBeginCapture" -> begin;
      case "hipStreamEndCapture" -> end;
      default -> "to begin: " + begin + "; to end: " + end;
    };
  }

  private static String notSupported(String call) {
    String launch = "the software device has no dynamic shared memory and takes params, not extra";
    String allocate = "memory is not allocated on a stream that captures: do so before";
    String join = "on the software device a capture stays on the device where it began";
    String callback =
        "a host function that waits for its own stream, for the device or for another host function"
            + " never returns under HIP: make the call on another thread";
    return switch (call) {
      case "hipModuleLaunchKernel" -> launch;
      case "hipMallocAsync" -> allocate;
      case "hipStreamWaitEvent" -> join;
      case "" -> String.join("; or: ", callback, launch, allocate, join);
      default -> callback;
    };
  }

  private static String inCapture(String call, int status) {
    return switch (status) {
      case hipErrorStreamCaptureUnsupported -> unsupported(call);
      case hipErrorStreamCaptureImplicit ->
          "end every capture first, whatever its mode, or copy and fill with hipMemcpyAsync and"
              + " hipMemsetAsync on a stream of its own: the captures that were open are lost";
      case hipErrorStreamCaptureInvalidated ->
          "end the capture, which gives no graph, and capture again without the call that spoilt"
              + " it";
      case hipErrorStreamCaptureMerge ->
          "the event belongs to another capture, and both are lost: let a stream wait for events of"
              + " its own capture";
      case hipErrorStreamCaptureUnmatched -> "end the capture on the stream where it began";
      case hipErrorStreamCaptureUnjoined ->
          "let the capturing stream wait for an event of each stream that joined";
      case hipErrorStreamCaptureIsolation ->
          "the event was not recorded in this capture, which is lost: wait for it before the"
              + " capture, or record it on a stream that captures";
      case hipErrorCapturedEvent ->
          "the event was recorded in an open capture, which is lost now: end that, and wait for the"
              + " stream on which its graph is launched";
      case hipErrorStreamCaptureWrongThread ->
          "end the capture on the thread that began it; with hipStreamCaptureModeRelaxed any may";
      default -> "";
    };
  }

  private static String unsupported(String call) {
    String begin = "the null stream cannot capture: hipStreamCreateWithFlags makes one that can";
    String stream = "a stream that captures is not queried or waited for: end its capture first";
    String device = "the device is not waited for during a capture of any mode: end it first";
    String mode =
        "make the call before the capture, or under hipThreadExchangeStreamCaptureMode with"
            + " hipStreamCaptureModeRelaxed";
    return switch (call) {
      case "hipStreamBeginCapture" -> begin;
      case "hipStreamSynchronize", "hipStreamQuery" -> stream + "; for another stream, " + mode;
      case "hipDeviceSynchronize", "hipDeviceReset" -> device;
      case "" -> String.join("; ", mode, stream, device, begin);
      default -> mode;
    };
  }
}
