package dev.hiplab.measure;

import dev.hiplab.Stream;

/** What is timed: it enqueues something on the stream. */
@FunctionalInterface
public interface Work {
  /**
   * Enqueues the work once. Called by the thread that times, warm-up included.
   *
   * @throws Exception what ends the timing, which says so with the arm's name
   */
  void on(Stream stream) throws Exception;
}
