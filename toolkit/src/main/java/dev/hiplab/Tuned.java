package dev.hiplab;

/**
 * What tuning a GEMM found of one candidate.
 *
 * @param candidate the algorithm
 * @param medianMs device time of one GEMM, milliseconds; NaN when it could not be measured
 * @param lowerMs lower quartile of the same times; NaN when it could not be measured
 * @param upperMs upper quartile of the same times; NaN when it could not be measured
 * @param chosen whether later GEMMs of this shape take it
 * @param skipped why it could not be measured, else empty
 */
public record Tuned(
    Candidate candidate,
    double medianMs,
    double lowerMs,
    double upperMs,
    boolean chosen,
    String skipped) {
  /** Of one that could not be measured. */
  static Tuned skipped(Candidate candidate, String why) {
    return new Tuned(candidate, Double.NaN, Double.NaN, Double.NaN, false, why);
  }

  Tuned asChosen() {
    return new Tuned(candidate, medianMs, lowerMs, upperMs, true, skipped);
  }

  /**
   * Whether the times of the two overlap: the lower quartile of this is at most the other's upper
   * one. False when this was not measured.
   */
  boolean asFastAs(Tuned fastest) {
    return lowerMs <= fastest.upperMs;
  }
}
