package dev.hiplab.rocm;

import dev.hiplab.HiplabException;
import dev.hiplab.bindings.Native;

/**
 * Statuses of raw calls, checked: {@code Check.hip(hipMalloc(p, bytes))} returns when the call went
 * well and throws otherwise. The exception names the status and, where there is something to do,
 * the next step; {@link HiplabException#call}, {@link HiplabException#status} and {@link
 * HiplabException#statusName} tell them apart. With the form that takes a name, the sentence names
 * the call too, and the step is that of the call: {@code Check.hip("hipMalloc", hipMalloc(p,
 * bytes))}.
 *
 * <p>A status that only informs throws too, such as {@code hipErrorNotReady} (600) of a query.
 * Thread-safe.
 */
public final class Check {
  private Check() {}

  /** A status of {@link Hip}. */
  public static void hip(int status) {
    hip("", status);
  }

  /** The same, of a call by name. */
  public static void hip(String call, int status) {
    if (status != Hip.hipSuccess) {
      throw failed("hip", "HIP", call, status);
    }
  }

  /** A result of {@link HipRtc}. */
  public static void hiprtc(int status) {
    hiprtc("", status);
  }

  /** The same, of a call by name. */
  public static void hiprtc(String call, int status) {
    if (status != HipRtc.HIPRTC_SUCCESS) {
      throw failed("hiprtc", "hiprtc", call, status);
    }
  }

  /** A status of {@link RocBlas}. */
  public static void rocblas(int status) {
    rocblas("", status);
  }

  /** The same, of a call by name. */
  public static void rocblas(String call, int status) {
    if (status != RocBlas.rocblas_status_success) {
      throw failed("rocblas", "rocBLAS", call, status);
    }
  }

  /** A status of {@link HipBlasLt}. */
  public static void hipblaslt(int status) {
    hipblaslt("", status);
  }

  /** The same, of a call by name. */
  public static void hipblaslt(String call, int status) {
    if (status != HipBlasLt.HIPBLAS_STATUS_SUCCESS) {
      throw failed("hipblaslt", "hipBLASLt", call, status);
    }
  }

  private static HiplabException failed(String library, String title, String call, int status) {
    RawLibrary.load();
    String given = call == null ? "" : call;
    String name = name(library, status);
    String next = NextStep.after(library, given, status);
    String sentence =
        (given.isEmpty() ? "a " + title + " call" : given)
            + " failed: "
            + (name.isEmpty() ? "an unnamed status" : name)
            + " ("
            + status
            + ")"
            + (next.isEmpty() ? "" : "; " + next);
    return HiplabException.ofCall(sentence, given, status, name);
  }

  // The library's own word for a status that this project does not know by name.
  private static String name(String library, int status) {
    String known = Native.statusName(library, status);
    if (!known.isEmpty()) {
      return known;
    }
    String told =
        switch (library) {
          case "hip" -> Hip.hipGetErrorName(status);
          case "hiprtc" -> HipRtc.hiprtcGetErrorString(status);
          case "rocblas" -> RocBlas.rocblas_status_to_string(status);
          default -> "";
        };
    return told == null ? "" : told;
  }
}
