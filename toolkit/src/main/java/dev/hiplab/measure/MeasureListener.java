package dev.hiplab.measure;

/**
 * Hears of the steps of a survey (its shapes) or a timing (its rounds), on the thread that runs.
 */
public interface MeasureListener {
  /** Hears nothing. */
  MeasureListener NONE = new MeasureListener() {};

  /**
   * It begins.
   *
   * @param unit what a step is, in the plural: {@code shapes} or {@code rounds}
   * @param total steps to do; 0 when a time ends it
   * @param done steps that an earlier run did
   */
  default void started(String unit, int total, int done) {}

  /** A part of a step begins, such as one candidate of a shape. */
  default void running(String what) {}

  /** A step has ended. */
  default void ended(String what, int done, int total) {}

  /** Nothing more comes, also after an interrupt. */
  default void finished() {}
}
