package dev.hiplab;

/**
 * An error of the lab: one sentence that names what was wrong, the value, and what is allowed.
 *
 * <p>Errors of the native backend arrive as this class with the backend's own sentence, which names
 * the call, the status, the device and the stream. Those of a failed driver call also tell the call
 * and its status apart: {@link #call}, {@link #status} and {@link #statusName}.
 */
public class HiplabException extends RuntimeException {
  private static final long serialVersionUID = 2L;

  /** What {@code bindings/java_exception.h} puts between sentence and call, and inside the call. */
  private static final char CALL = '\u001e';

  private static final char FIELD = '\u001f';

  private final String call;
  private final int status;
  private final String statusName;

  /** The constructor that the native stubs call. */
  public HiplabException(String message) {
    super(sentence(message));
    String[] fields = fields(message);
    call = fields[0];
    status = fields[1].isEmpty() ? 0 : Integer.parseInt(fields[1]);
    statusName = fields[2];
  }

  /** An error of a driver call that failed; the call may be empty where it is not known. */
  public static HiplabException ofCall(
      String sentence, String call, int status, String statusName) {
    return new HiplabException(sentence + CALL + call + FIELD + status + FIELD + statusName);
  }

  /** The call and status are the cause's, if it is of this class. */
  public HiplabException(String message, Throwable cause) {
    super(message, cause);
    HiplabException failed = cause instanceof HiplabException of ? of : null;
    call = failed == null ? "" : failed.call;
    status = failed == null ? 0 : failed.status;
    statusName = failed == null ? "" : failed.statusName;
  }

  /** The driver function that failed, such as {@code hipMalloc}; empty when none did. */
  public String call() {
    return call;
  }

  /** What that function returned, in its own library's numbers; 0 when none failed. */
  public int status() {
    return status;
  }

  /** The same status by its name, such as {@code hipErrorOutOfMemory}; empty when none failed. */
  public String statusName() {
    return statusName;
  }

  private static String sentence(String message) {
    int end = message == null ? -1 : message.indexOf(CALL);
    return end < 0 ? message : message.substring(0, end);
  }

  private static String[] fields(String message) {
    String[] none = {"", "", ""};
    int start = message == null ? -1 : message.indexOf(CALL);
    if (start < 0) {
      return none;
    }
    String[] fields = message.substring(start + 1).split(String.valueOf(FIELD), -1);
    return fields.length == 3 && fields[1].matches("-?[0-9]{1,9}") ? fields : none;
  }
}
