package dev.hiplab;

import dev.hiplab.bindings.GraphRef;
import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.StreamRef;
import java.util.function.Consumer;

/**
 * A stream of the device's pool, for work that may be given up when it takes too long (MIOpen
 * 12265). It ends in one of three ways: {@link #release} when its work has ended, {@link #abandon}
 * when that still runs, {@link #close} which waits and then releases. While it captures, or is part
 * of a capture, all three are refused, and it stays open.
 *
 * <p>A thread that waits in one of its calls holds it open; to give it up in time, look with {@link
 * #idle} or {@link Event#done} instead.
 */
public final class DisposableStream extends Stream {
  /** When nobody ended it: by its backend's close or the cleaner. */
  static final class Tracked extends Handle {
    Tracked(String name, Owner owner, StreamRef ref) {
      super(name, owner, ref);
    }

    @Override
    void release() {
      endCapture(ref);
      // Waits for nothing: a wait would spoil captures of other streams, and hold up the cleaner.
      Native.abandonStream(ref, null);
    }

    // The tracker takes no stream back that captures. HIP may refuse this thread, and so that too.
    private static void endCapture(StreamRef ref) {
      try {
        if (Native.captureStatus(ref) != 0) {
          GraphRef graph = Native.endCapture(ref);
          Native.destroyGraph(graph);
        }
      } catch (HiplabException e) {
        // Told by the tracker, if it has to be.
      }
    }
  }

  DisposableStream(Device device, int id) {
    super(device, id, true);
  }

  /**
   * How many abandoned streams of a device may still run before {@link Device#acquireStream} waits:
   * GPU_MAX_HW_QUEUES - 2, at least 1, so that an evaluation shares no hardware queue with a
   * runaway kernel (MIOpen 12265).
   *
   * @param gpuMaxHwQueues value of that variable; null (unset), no whole number, or one that is not
   *     positive counts as HIP's default of 4
   */
  public static int backlogCap(String gpuMaxHwQueues) {
    if (gpuMaxHwQueues != null) {
      Require.noNul(gpuMaxHwQueues, "backlogCap", "the value");
    }
    NativeLibrary.load();
    return Native.backlogCap(gpuMaxHwQueues == null ? "" : gpuMaxHwQueues, gpuMaxHwQueues != null);
  }

  /**
   * Gives the stream back to the pool; its work must have ended, which is not checked. Waits for
   * nothing: what is still queued runs on, ahead of the next owner's work.
   *
   * @throws HiplabException when it captures, or has been given back
   */
  public void release() {
    requireOwned(end("release", Native::releaseStream));
  }

  /**
   * Gives up on work that still runs. Waits for nothing; the stream goes back to the pool once its
   * work has ended. Nothing waits for what that work writes: it must not be read before ({@link
   * TrackerState#draining} tells), and closing it waits for the device.
   *
   * @param scratch memory that the work writes, or null; freed once it has ended. The matrix is
   *     closed from now on.
   * @throws HiplabException when the stream captures, or has been given back, or the matrix is on
   *     another device or closed; both stay as they are then
   */
  public void abandon(Matrix scratch) {
    if (scratch == null) {
      requireOwned(end("abandon", ref -> Native.abandonStream(ref, null)));
      return;
    }
    requireHere("abandon", "scratch", scratch);
    scratch.giveTo(
        buffer -> requireOwned(end("abandon", ref -> Native.abandonStream(ref, buffer))));
  }

  // False when it had ended already.
  private boolean end(String call, Consumer<StreamRef> by) {
    try {
      return endBy(by);
    } catch (HiplabException e) {
      throw located(call, e);
    }
  }

  private void requireOwned(boolean ended) {
    if (!ended) {
      throw new HiplabException(
          "Stream " + id() + " has been given back; take one with device.acquireStream()");
    }
  }

  /** Waits for the queue, then gives the stream back to the pool, unless that is done already. */
  @Override
  public void close() {
    HiplabException[] unfinished = new HiplabException[1];
    end(
        "close",
        ref -> {
          try {
            if (Native.captureStatus(ref) == 0) { // else a wait would spoil the capture
              Native.synchronizeStream(ref);
            }
          } catch (HiplabException e) {
            unfinished[0] = e; // the device is lost, or another stream's capture forbids to wait
            Native.abandonStream(ref, null);
            return;
          }
          Native.releaseStream(ref);
        });
    if (unfinished[0] != null) {
      throw located("close", unfinished[0]);
    }
  }
}
