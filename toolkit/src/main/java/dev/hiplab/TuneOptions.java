package dev.hiplab;

import java.time.Duration;

/**
 * How a GEMM is tuned in bounded time. Immutable.
 *
 * @param candidates how many the heuristic is asked for, 1 to 1024
 * @param repetitions timed GEMMs of each candidate, 1 to 10000; one more before them warms up
 * @param bound of one candidate: its wait for a disposable stream, its warm-up and its repetitions;
 *     1 microsecond to 1 hour. What overruns is abandoned
 * @param capBytes most workspace that a candidate may need, bytes, 0 to 32 MiB
 * @param batch matrices of each operand, at least 1
 */
public record TuneOptions(
    int candidates, int repetitions, Duration bound, long capBytes, int batch) {
  /** Most workspace of any GEMM of the backend. */
  public static final long MOST_CAP = 32L << 20;

  private static final int MOST_CANDIDATES = 1024;
  private static final int MOST_REPETITIONS = 10_000;
  private static final Duration LEAST_BOUND = Duration.ofNanos(1000);
  private static final Duration MOST_BOUND = Duration.ofHours(1);

  /** 8 candidates, 7 repetitions, 250 ms each, 32 MiB, no batch. */
  public static final TuneOptions DEFAULTS =
      new TuneOptions(8, 7, Duration.ofMillis(250), MOST_CAP, 1);

  /** The {@link #DEFAULTS}. */
  public static TuneOptions defaults() {
    return DEFAULTS;
  }

  public TuneOptions {
    Require.given(bound, "tune", "a bound");
    within("candidates", candidates, 1, MOST_CANDIDATES);
    within("repetitions", repetitions, 1, MOST_REPETITIONS);
    within("the workspace cap in bytes", capBytes, 0, MOST_CAP);
    within("batch", batch, 1, Integer.MAX_VALUE);
    if (bound.compareTo(LEAST_BOUND) < 0 || bound.compareTo(MOST_BOUND) > 0) {
      throw new HiplabException(
          "tune: the bound is " + bound + ", allowed are " + LEAST_BOUND + " to " + MOST_BOUND);
    }
  }

  public TuneOptions withCandidates(int value) {
    return new TuneOptions(value, repetitions, bound, capBytes, batch);
  }

  public TuneOptions withRepetitions(int value) {
    return new TuneOptions(candidates, value, bound, capBytes, batch);
  }

  public TuneOptions withBound(Duration value) {
    return new TuneOptions(candidates, repetitions, value, capBytes, batch);
  }

  public TuneOptions withCapBytes(long value) {
    return new TuneOptions(candidates, repetitions, bound, value, batch);
  }

  public TuneOptions withBatch(int value) {
    return new TuneOptions(candidates, repetitions, bound, capBytes, value);
  }

  /** The bound in milliseconds, such as {@code 250 ms} or {@code 0.5 ms}. */
  String boundInWords() {
    return MillisText.of(bound.toNanos() / 1e6) + " ms";
  }

  private static void within(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new HiplabException(
          "tune: " + what + " is " + value + ", allowed are " + least + " to " + most);
    }
  }
}
