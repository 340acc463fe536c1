package dev.hiplab.rocm;

import dev.hiplab.HiplabException;
import org.bytedeco.javacpp.Pointer;

/** Main of the processes that {@link RawProcessesTest} starts. */
final class RawProbe {
  private RawProbe() {}

  public static void main(String[] args) {
    try {
      System.out.println(RawCalls.describe());
    } catch (HiplabException e) {
      System.out.println("error: " + e.getMessage());
      return;
    }
    int[] count = {7};
    System.out.println("count " + Hip.hipGetDeviceCount(count) + " " + count[0]);
    tell(() -> Hip.hipMalloc(new Pointer(), 16));
    tell(() -> RocBlas.rocblas_create_handle(new rocblas_handle()));
  }

  private static void tell(java.util.function.IntSupplier call) {
    try {
      System.out.println("status " + call.getAsInt());
    } catch (HiplabException e) {
      System.out.println("missing: " + e.getMessage());
    }
  }
}
