package dev.hiplab;

/** Whether a stream captures what is enqueued on it, by its own capture or by one it joined. */
public enum CaptureStatus {
  /** Work that is enqueued runs. */
  NONE,
  /** Work that is enqueued becomes part of a graph. */
  ACTIVE,
  /** The capture has been spoilt by a refused call: it can only be ended, which throws. */
  INVALIDATED;

  static CaptureStatus of(int code) {
    CaptureStatus[] all = values();
    if (code < 0 || code >= all.length) {
      throw new HiplabException("the driver tells capture status " + code + ", known are 0 to 2");
    }
    return all[code];
  }
}
