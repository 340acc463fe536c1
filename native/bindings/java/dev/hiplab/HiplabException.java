package dev.hiplab;

/**
 * An error of the lab: one sentence that names what was wrong, the value, and what is allowed.
 *
 * <p>Errors of the native backend arrive as this class with the backend's own sentence, which names
 * the call, the status, the device and the stream.
 */
public class HiplabException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The constructor that the native stubs call. */
  public HiplabException(String message) {
    super(message);
  }

  public HiplabException(String message, Throwable cause) {
    super(message, cause);
  }
}
