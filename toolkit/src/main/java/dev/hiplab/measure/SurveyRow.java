package dev.hiplab.measure;

import dev.hiplab.Candidate;

/**
 * What a survey found of one candidate of a shape, or, with index -1, that a shape has none.
 *
 * @param problem the shape
 * @param rows how many rows the survey has of this shape
 * @param candidate its place in the heuristic's list, from 0
 * @param workspaceBytes scratch memory that it asks for, bytes
 * @param waves the library's wave count
 * @param solution the library's index of the solution, -1 when it tells none
 * @param name the library's name of it, empty when it tells none
 * @param times of one GEMM, microseconds of the device, or none
 * @param checked outputs that were compared with the host's
 * @param verdict what came of that
 * @param largestError of those outputs whose verdict is the row's, against the exact product
 * @param bound what that output may be off by; NaN where nothing was compared
 * @param reason why it failed or is wrong, else empty
 */
public record SurveyRow(
    Problem problem,
    int rows,
    int candidate,
    long workspaceBytes,
    float waves,
    int solution,
    String name,
    Times times,
    int checked,
    Verdict verdict,
    double largestError,
    double bound,
    String reason) {
  /**
   * Device time of one GEMM, microseconds.
   *
   * @param repetitions GEMMs that were timed, the warm-up not among them; 0 when none was
   * @param outliers of those, how many lie outside Tukey's fences
   */
  public record Times(
      int repetitions,
      double median,
      double lowerQuartile,
      double upperQuartile,
      double min,
      double max,
      int outliers) {
    /** Nothing was timed. */
    public static final Times NONE =
        new Times(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0);

    static Times of(Samples micros) {
      return new Times(
          micros.count(),
          micros.median(),
          micros.lowerQuartile(),
          micros.upperQuartile(),
          micros.min(),
          micros.max(),
          micros.outliers());
    }
  }

  static SurveyRow none(Problem problem, String reason) {
    return new SurveyRow(
        problem,
        1,
        -1,
        0,
        Float.NaN,
        -1,
        "",
        Times.NONE,
        0,
        Verdict.NO_CANDIDATE,
        Double.NaN,
        Double.NaN,
        reason);
  }

  static SurveyRow of(
      Problem problem,
      int rows,
      Candidate candidate,
      Times times,
      Reference.Comparison found,
      String reason) {
    return new SurveyRow(
        problem,
        rows,
        candidate.index(),
        candidate.workspaceBytes(),
        candidate.waves(),
        candidate.solution(),
        candidate.name(),
        times,
        found.checked(),
        found.verdict(),
        found.largestError(),
        found.bound(),
        reason);
  }

  /** Whether it is of a candidate. */
  public boolean hasCandidate() {
    return candidate >= 0;
  }

  /** 10^9 floating-point operations a second at the median; NaN when that is not known or 0. */
  public double gflops() {
    return times.median > 0 ? 2.0 * problem.multiplyAdds() / times.median / 1e3 : Double.NaN;
  }
}
