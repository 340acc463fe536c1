package dev.hiplab.scenario;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the threads of a workload found wrong, added up. Used by one thread at a time.
 *
 * <p>Each worker has its own and gives it to the scenario's thread when it is joined. Whether a
 * small error is one depends on how the device adds ({@link Sums}): that is asked when the result
 * is, so read what the trial counted before.
 */
public final class Tally {
  private long gemms;
  private long wrong;
  private long wrongInFirstRound;
  private long unwritten;
  private long withinBound;
  private final Map<Sums, Inexact> inexact = new LinkedHashMap<>();
  private String firstWrong = "";
  private String firstError = "";
  private String unknown = "";

  /** Whether every GEMM ended and no output was wrong. */
  public boolean isRight() {
    return firstError.isEmpty() && wrong() == 0;
  }

  /** GEMMs with a wrong output. */
  public long wrong() {
    judge();
    return wrong;
  }

  /** Sorts out what may be right or wrong. */
  private void judge() {
    inexact.forEach(this::judge);
    inexact.clear();
  }

  private void judge(Sums sums, Inexact some) {
    if (sums.allowBound()) {
      withinBound += some.gemms();
      return;
    }
    wrong += some.gemms();
    wrongInFirstRound += some.inFirstRound();
    firstWrong = firstWrong.isEmpty() ? some.first() : firstWrong;
    unknown = unknown.isEmpty() ? sums.unknown() : unknown;
  }

  /** What ended a thread of the workload early, or nothing; the first one is kept. */
  public void failed(String error) {
    firstError = firstError.isEmpty() ? error : firstError;
  }

  /** Compares one output with the host's and counts it. */
  public void check(
      int thread, int round, GemmCase gemm, float[] a, float[] b, float[] c, Sums sums) {
    gemms++;
    int[] reference = Reference.product(gemm, a, b);
    int off = 0;
    int nan = 0;
    int near = 0;
    int first = -1;
    int firstNear = -1;
    for (int i = 0; i < reference.length; i++) {
      if (c[i] == reference[i]) {
        continue;
      }
      if (sums != Sums.IEEE && Math.abs(c[i] - reference[i]) <= Reference.bound(gemm, a, b, i)) {
        near++;
        firstNear = firstNear < 0 ? i : firstNear;
        continue;
      }
      off++;
      nan += Float.isNaN(c[i]) ? 1 : 0;
      first = first < 0 ? i : first;
    }
    String where = "thread " + thread + ", round " + round + ", " + gemm.text() + ": ";
    if (off > 0) {
      wrong++;
      wrongInFirstRound += round == 0 ? 1 : 0;
      unwritten += nan == reference.length ? 1 : 0;
      firstWrong =
          firstWrong.isEmpty() ? where + elements(off, first, gemm, c, reference) : firstWrong;
    } else if (near > 0) {
      inexact
          .computeIfAbsent(sums, any -> new Inexact())
          .count(round, where + elements(near, firstNear, gemm, c, reference));
    }
  }

  private static String elements(int off, int first, GemmCase gemm, float[] c, int[] reference) {
    return off
        + " of "
        + reference.length
        + " elements, ["
        + first / gemm.n()
        + "]["
        + first % gemm.n()
        + "] is "
        + value(c[first])
        + ", should be "
        + reference[first];
  }

  /** Adds what another thread found. */
  public void add(Tally other) {
    gemms += other.gemms;
    wrong += other.wrong;
    wrongInFirstRound += other.wrongInFirstRound;
    unwritten += other.unwritten;
    withinBound += other.withinBound;
    other.inexact.forEach(
        (sums, some) -> inexact.computeIfAbsent(sums, any -> new Inexact()).add(some));
    unknown = unknown.isEmpty() ? other.unknown : unknown;
    firstWrong = firstWrong.isEmpty() ? other.firstWrong : firstWrong;
    firstError = firstError.isEmpty() ? other.firstError : firstError;
  }

  /** Adds the counts under names of their own. */
  private void count(TreeMap<String, Long> counters) {
    counters.put("gemms", gemms);
    counters.put("gemms.wrong", wrong);
    counters.put("gemms.wrong.first-round", wrongInFirstRound);
    counters.put("gemms.never-written", unwritten);
    counters.put("gemms.within-bound", withinBound);
  }

  /** What it comes to: right when every output was, else what was wrong first. */
  public Finding finding(Map<String, Long> counters, double millis) {
    judge();
    TreeMap<String, Long> all = new TreeMap<>(counters);
    count(all);
    return isRight() ? right(all, millis) : wrong(all, millis);
  }

  /** The finding of a workload that threw, or had wrong outputs; an exception ended it sooner. */
  private Finding wrong(TreeMap<String, Long> counters, double millis) {
    if (firstError.isEmpty()) {
      return new Finding(Outcome.WRONG_RESULT, wrongOutputs(), counters, millis);
    }
    String also = wrong == 0 ? "" : "; of the GEMMs that ended, " + wrongOutputs();
    return new Finding(Outcome.ERROR, firstError + also, counters, millis);
  }

  /** The finding of a workload whose outputs and counters are right. */
  private Finding right(TreeMap<String, Long> counters, double millis) {
    if (withinBound == 0) {
      return new Finding(Outcome.EXACT, "", counters, millis);
    }
    String detail =
        withinBound
            + " of "
            + gemms
            + " GEMMs differ by less than 2 K u sum|a b|, on a device"
            + " that does not add the IEEE way (measured)";
    return new Finding(Outcome.WITHIN_BOUND, detail, counters, millis);
  }

  private String wrongOutputs() {
    return wrong
        + " of "
        + gemms
        + " GEMMs wrong ("
        + wrongInFirstRound
        + " in the first round, "
        + unwritten
        + " never written); first "
        + firstWrong
        + (unknown.isEmpty()
            ? ""
            : "; whether the device adds the IEEE way could not be measured (" + unknown + ")");
  }

  private static String value(float x) {
    // The poison is NaN, so NaN says that nothing wrote this element.
    return Float.isNaN(x) ? "NaN (the poison)" : Float.toString(x);
  }
}
