package dev.hiplab;

/** A matrix for which the device has no memory left, whatever was collected before. */
public final class OutOfDeviceMemoryException extends HiplabException {
  private static final long serialVersionUID = 1L;

  OutOfDeviceMemoryException(String message, HiplabException cause) {
    super(message, cause);
  }

  /** Whether a call failed for want of device memory. */
  static boolean is(HiplabException e) {
    return e.call().startsWith("hipMalloc") && e.statusName().equals("hipErrorOutOfMemory");
  }
}
