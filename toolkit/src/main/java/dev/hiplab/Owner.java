package dev.hiplab;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * What a backend knows of the objects made from it: which live, which were forgotten, and how much
 * device memory Java's garbage holds. Thread-safe.
 */
final class Owner {
  /** With {@code -Dhiplab.trackLeaks} each object remembers where it was made. */
  static final boolean TRACK_LEAKS = isOn("hiplab.trackLeaks");

  /** Device bytes that may be live before a collection is asked for, to find forgotten ones. */
  private static final long FIRST_COLLECTION_BYTES = 512L << 20;

  private static final int COLLECTION_MILLIS = 100;

  private final Set<Lifetime> living = new HashSet<>();
  private long forgotten;
  private long deviceBytes;
  private long collectAt = FIRST_COLLECTION_BYTES;

  synchronized void add(Lifetime lifetime) {
    living.add(lifetime);
  }

  synchronized void remove(Lifetime lifetime) {
    living.remove(lifetime);
  }

  synchronized int livingCount() {
    return living.size();
  }

  synchronized long forgottenCount() {
    return forgotten;
  }

  void forgot(Lifetime lifetime) {
    boolean first;
    synchronized (this) {
      first = forgotten++ == 0;
    }
    if (first && lifetime.madeAt() != null) {
      StackTraceElement[] frames = lifetime.madeAt().getStackTrace();
      System.err.println(
          "hiplab: " + lifetime.name() + " was never closed; made at " + caller(frames));
    }
  }

  /**
   * Counts device memory. Java's collector does not see it: without a hint, a loop that drops its
   * results would fill the device before the first collection.
   */
  void allocated(long bytes) {
    long limit;
    synchronized (this) {
      deviceBytes += bytes;
      if (deviceBytes <= collectAt) {
        return;
      }
      limit = collectAt;
      collectAt = Math.max(FIRST_COLLECTION_BYTES, 2 * deviceBytes);
    }
    collect(limit / 2);
  }

  /**
   * Looks for forgotten memory. The cleaner frees on its own thread: without a pause the caller
   * would go on allocating. The pause ends once no more than {@code enough} bytes are live, or
   * after a moment when all of it is in use.
   */
  void collect(long enough) {
    System.gc();
    for (int wait = 0; wait < COLLECTION_MILLIS && deviceBytes() > enough; wait++) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Bytes of the matrices that live. */
  synchronized long deviceBytes() {
    return deviceBytes;
  }

  synchronized void freed(long bytes) {
    deviceBytes -= bytes;
    collectAt = Math.max(FIRST_COLLECTION_BYTES, Math.min(collectAt, 2 * deviceBytes));
  }

  /**
   * Closes all that still lives, those that {@link Lifetime#endsFirst end first} before the others.
   * The first failure is thrown once all were tried.
   */
  void closeAll() {
    ArrayList<Lifetime> left;
    synchronized (this) {
      left = new ArrayList<>(living);
    }
    left.sort(Comparator.comparing(Lifetime::endsFirst).reversed());
    RuntimeException failure = null;
    for (Lifetime lifetime : left) {
      try {
        lifetime.close();
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  // The first frame outside this package is the user's line.
  private static String caller(StackTraceElement[] frames) {
    for (StackTraceElement frame : frames) {
      String type = frame.getClassName();
      if (!type.startsWith("dev.hiplab.") || type.indexOf('.', "dev.hiplab.".length()) >= 0) {
        return frame.toString();
      }
    }
    return frames.length == 0 ? "an unknown place" : frames[frames.length - 1].toString();
  }

  private static boolean isOn(String property) {
    String value = System.getProperty(property);
    return value != null && !value.equals("false");
  }
}
