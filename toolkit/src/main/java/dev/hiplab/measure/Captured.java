package dev.hiplab.measure;

import dev.hiplab.CaptureStatus;
import dev.hiplab.HiplabException;
import dev.hiplab.Stream;

/** A capture on the stream that is timed: what is captured does not run, so it has no time. */
final class Captured {
  private Captured() {}

  /**
   * Ends a capture that work left open.
   *
   * @throws HiplabException when there was one
   */
  static void refuse(Stream stream) {
    if (stream.captureStatus() == CaptureStatus.NONE) {
      return;
    }
    end(stream);
    throw new HiplabException(
        "it leaves a capture open on the stream, and what is captured does not run; end the capture"
            + " and time the launch of its graph");
  }

  /** Ends the capture, spoilt or not. */
  static void end(Stream stream) {
    try {
      if (stream.captureStatus() != CaptureStatus.NONE) {
        stream.endCapture().close();
      }
    } catch (HiplabException spoilt) {
      // It has ended.
    }
  }
}
