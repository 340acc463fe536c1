package dev.hiplab.measure;

import dev.hiplab.Candidate;
import dev.hiplab.HiplabException;
import dev.hiplab.Stream;
import java.util.ArrayList;
import java.util.List;

/**
 * One candidate of a shape while the shape is surveyed: its comparison, then its times, a batch at
 * a time, so that the candidates of a shape can take turns. What goes wrong is kept for its row. It
 * leaves the stream idle. Used by one thread.
 */
final class CandidateRun implements AutoCloseable {
  private static final Reference.Comparison FAILED = Reference.Comparison.none(Verdict.FAILED);

  /** HIP's number of an error that no call of the process gets past (mlxcel 1804). */
  private static final int ILLEGAL_ADDRESS = 700;

  /** A turn is no more than this part of the timed GEMMs, so that there are rounds. */
  private static final int TURNS = 10;

  private final Candidate candidate;
  private final Work gemm;
  private final Stream stream;
  private final SurveySettings settings;
  private final RepetitionTimer timer;
  private final List<Double> micros = new ArrayList<>();
  private Reference.Comparison found = FAILED;
  private String failure;
  private long spentNanos;
  private boolean warm;

  CandidateRun(Candidate candidate, Work gemm, Stream stream, SurveySettings settings) {
    this.candidate = candidate;
    this.gemm = gemm;
    this.stream = stream;
    this.settings = settings;
    timer = new RepetitionTimer(stream, Math.max(1, settings.most() / TURNS));
  }

  /** Runs it on a poisoned C and compares that. */
  void compare(SurveyInputs inputs, Reference reference) throws InterruptedException {
    attempt(
        () -> {
          stream.poison(inputs.c);
          gemm.on(stream);
          stream.synchronize();
          found = reference.compare(inputs.c.floats());
        });
  }

  /** Whether it has failed, or as many GEMMs were timed as budget and most allow. */
  boolean done() {
    boolean over = spentNanos >= settings.budgetMillis() * 1_000_000L;
    int timed = micros.size();
    return failure != null || timed >= settings.fewest() && (over || timed >= settings.most());
  }

  /** Its turn: a batch of timed GEMMs, before the first one those that are not counted. */
  void turn() throws InterruptedException {
    attempt(
        () -> {
          if (!warm) {
            for (int i = 0; i < settings.warmUp(); i++) {
              timer.enqueue(gemm, true);
              timer.collect();
            }
            warm = true;
          }
          long begin = System.nanoTime();
          int left = settings.most() - micros.size();
          do {
            timer.enqueue(gemm, true);
          } while (--left > 0 && !timer.full());
          timer.collect().forEach(one -> micros.add(one.deviceMs() * 1e3));
          spentNanos += System.nanoTime() - begin;
        });
  }

  private interface Step {
    void run() throws Exception;
  }

  private void attempt(Step step) throws InterruptedException {
    try {
      step.run();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof HiplabException lost && isLost(lost)) {
        throw lost;
      }
      failure = String.valueOf(e.getMessage());
    }
  }

  /** Whether no later call on the device can succeed. */
  static boolean isLost(HiplabException e) {
    return e.status() == ILLEGAL_ADDRESS;
  }

  /** Its row. */
  SurveyRow row(Problem problem, int rows) {
    return failure != null
        ? SurveyRow.of(problem, rows, candidate, SurveyRow.Times.NONE, FAILED, failure)
        : SurveyRow.of(problem, rows, candidate, times(), found, found.worst());
  }

  private SurveyRow.Times times() {
    return SurveyRow.Times.of(
        Samples.of(micros.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  @Override
  public void close() {
    timer.close();
  }
}
