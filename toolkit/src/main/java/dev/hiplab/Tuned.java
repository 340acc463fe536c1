package dev.hiplab;

/**
 * What tuning a GEMM found of one candidate.
 *
 * @param candidate the algorithm
 * @param medianMs device time of one GEMM, milliseconds; NaN when it could not be measured
 * @param chosen whether later GEMMs of this shape take it
 * @param skipped why it could not be measured, else empty
 */
public record Tuned(Candidate candidate, double medianMs, boolean chosen, String skipped) {}
