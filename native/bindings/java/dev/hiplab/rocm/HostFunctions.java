package dev.hiplab.rocm;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.javacpp.Pointer;

/**
 * Java code as the host function of {@link Hip#hipLaunchHostFunc}.
 *
 * <p>{@link hipHostFn_t} cannot be extended: a Java exception that left such an object on a thread
 * of the driver's would end the process. Here one C function serves all, and what the code throws
 * goes to its thread's uncaught exception handler, which prints it unless one was set. Thread-safe.
 */
public final class HostFunctions {
  // What C code holds is a number: these are the functions that were launched and have not run.
  private static final ConcurrentMap<Long, Launched> LAUNCHED = new ConcurrentHashMap<>();
  private static final AtomicLong KEYS = new AtomicLong();
  private static final Entrance ENTRANCE = new Entrance();

  private HostFunctions() {}

  private record Launched(Runnable function, boolean again) {}

  /**
   * Queues the function on the stream: it runs on a thread of the driver's, after the work before
   * it and before the work behind it. It must make no HIP call that waits. While the stream
   * captures it becomes part of the graph, and is kept for the life of the process, as any launch
   * of the graph runs it.
   *
   * @return what hipLaunchHostFunc returns
   */
  public static int launch(hipStream_t stream, Runnable function) {
    if (function == null) {
      return Hip.hipErrorInvalidValue;
    }
    int[] capture = {Hip.hipStreamCaptureStatusNone};
    int known = Hip.hipStreamGetCaptureInfo(stream, capture, new long[1]);
    if (known != Hip.hipSuccess) {
      return known;
    }
    long key = KEYS.incrementAndGet();
    LAUNCHED.put(key, new Launched(function, capture[0] != Hip.hipStreamCaptureStatusNone));
    int status = Hip.hipLaunchHostFunc(stream, ENTRANCE, new Key(key));
    if (status != Hip.hipSuccess) {
      LAUNCHED.remove(key);
    }
    return status;
  }

  /** An address that is a number and points at nothing. */
  private static final class Key extends Pointer {
    Key(long key) {
      address = key;
    }
  }

  private static final class Entrance extends hipHostFn_t {
    @Override
    public void call(Pointer user) {
      try {
        Launched launched = LAUNCHED.get(user.address());
        if (!launched.again()) {
          LAUNCHED.remove(user.address());
        }
        launched.function().run();
      } catch (Throwable thrown) {
        tell(thrown);
      }
    }

    private static void tell(Throwable thrown) {
      try {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
      } catch (Throwable untold) {
        // A handler that throws: nothing is left to tell it to, and nothing may leave here.
      }
    }
  }
}
