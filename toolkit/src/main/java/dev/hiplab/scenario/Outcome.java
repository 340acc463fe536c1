package dev.hiplab.scenario;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What one run of one form ended with. A run is one fresh process.
 *
 * <p>Only what was measured counts: an outcome is never set by the form's name.
 */
public enum Outcome {
  /** Every output equals the host's integer reference, and the counters are as they must be. */
  EXACT,
  /**
   * Outputs differ by no more than the stated bound, on a device that does not add the IEEE way.
   */
  WITHIN_BOUND,
  /** A command ended with exit code 0, and no pattern said otherwise; nothing more is known. */
  PASSED,
  /** At least one output is wrong. */
  WRONG_RESULT,
  /**
   * Outputs are right, but something went where it should not: a route, a stream, a handle or
   * device that was made, a call that waited, a state that stayed false.
   */
  MISROUTED,
  /**
   * Outputs are right, but a call was given memory or a descriptor that it must not use: freed, too
   * small, destroyed, or in another's use.
   */
  MISUSE,
  /** An exception ended the workload. */
  ERROR,
  /** The process died of a signal. */
  CRASH,
  /** The deadline passed and the process was killed. */
  HANG,
  /** Outputs are right, but objects were left behind, or one made too many. */
  LEAK,
  /**
   * The forced order cannot happen in this form, and the work was right; the detail names what
   * excluded it.
   */
  EXCLUDED,
  /** The device lacks what the finding needs; the detail says what. Never a pass. */
  NOT_APPLICABLE;

  /** Outcomes of work that went as it should. */
  public static final Set<Outcome> PASSES =
      Collections.unmodifiableSet(EnumSet.of(PASSED, EXACT, WITHIN_BOUND, EXCLUDED));

  /** Outcomes of work that did not. */
  public static final Set<Outcome> FAILURES =
      Collections.unmodifiableSet(
          EnumSet.of(WRONG_RESULT, MISROUTED, MISUSE, ERROR, CRASH, HANG, LEAK));

  /** Whether every output was right, and everything that the workload counted. */
  public boolean isRight() {
    return this == EXACT || this == WITHIN_BOUND;
  }
}
