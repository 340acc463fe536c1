package dev.hiplab.measure;

import dev.hiplab.Candidate;
import dev.hiplab.Candidates;
import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Stream;
import java.util.ArrayList;
import java.util.List;

/**
 * One shape of a survey: what the heuristic offers, and what comes of each candidate. What cannot
 * be done is a row that says why.
 */
final class ShapeSurvey {
  private static final Reference.Comparison NOT_RUN = none(Verdict.NOT_RUN);
  private static final Reference.Comparison FAILED = none(Verdict.FAILED);

  private final Device device;
  private final Stream stream;
  private final SurveySettings settings;
  private final MeasureListener listener;

  ShapeSurvey(Device device, Stream stream, SurveySettings settings, MeasureListener listener) {
    this.device = device;
    this.stream = stream;
    this.settings = settings;
    this.listener = listener;
  }

  private static Reference.Comparison none(Verdict verdict) {
    return new Reference.Comparison(verdict, 0, Double.NaN, Double.NaN, "");
  }

  /**
   * Surveys it.
   *
   * @throws InterruptedException when the thread is interrupted before it is done
   */
  List<SurveyRow> run(Problem problem) throws InterruptedException {
    listener.running(problem.label());
    try (Candidates candidates =
        device.candidates(
            problem.spec(),
            problem.dtype(),
            problem.batch(),
            problem.m(),
            problem.n(),
            problem.k(),
            settings.candidates(),
            settings.capBytes())) {
      List<Candidate> offered = candidates.list();
      if (offered.isEmpty()) {
        return List.of(SurveyRow.none(problem, "the heuristic offers no candidate"));
      }
      return settings.timing() ? measured(problem, candidates) : all(problem, offered, NOT_RUN, "");
    } catch (HiplabException e) {
      return List.of(SurveyRow.none(problem, e.getMessage()));
    }
  }

  private static List<SurveyRow> all(
      Problem problem, List<Candidate> offered, Reference.Comparison what, String reason) {
    return offered.stream()
        .map(one -> row(problem, offered.size(), one, SurveyRow.Times.NONE, what, reason))
        .toList();
  }

  private static SurveyRow row(
      Problem problem,
      int rows,
      Candidate candidate,
      SurveyRow.Times times,
      Reference.Comparison found,
      String reason) {
    return SurveyRow.of(problem, rows, candidate, times, found, reason);
  }

  private List<SurveyRow> measured(Problem problem, Candidates candidates)
      throws InterruptedException {
    List<Candidate> offered = candidates.list();
    List<SurveyRow> rows = new ArrayList<>();
    try (SurveyInputs inputs = SurveyInputs.of(device, problem, settings.seed())) {
      Reference reference =
          inputs.reference(problem, settings.seed(), settings.checkedMultiplyAdds());
      for (Candidate candidate : offered) {
        int index = candidate.index();
        listener.running(problem.label() + ", candidate " + index);
        Work gemm = on -> on.gemm(candidates, index, inputs.a, inputs.b, inputs.c);
        rows.add(measured(problem, offered.size(), candidate, gemm, inputs, reference));
      }
      return rows;
    } catch (HiplabException e) { // no memory for them
      return all(problem, offered, FAILED, e.getMessage());
    }
  }

  /** Runs a candidate's GEMM on a poisoned C, compares that, and times it. */
  SurveyRow measured(
      Problem problem,
      int rows,
      Candidate candidate,
      Work gemm,
      SurveyInputs inputs,
      Reference reference)
      throws InterruptedException {
    try {
      stream.poison(inputs.c);
      gemm.on(stream);
      stream.synchronize();
      Reference.Comparison found = reference.compare(inputs.c.floats());
      stopIfInterrupted();
      SurveyRow.Times times = SurveyRow.Times.of(times(gemm));
      return row(problem, rows, candidate, times, found, found.worst());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return row(
          problem, rows, candidate, SurveyRow.Times.NONE, FAILED, String.valueOf(e.getMessage()));
    }
  }

  /** Microseconds of the device: at least the fewest, then until budget or most. */
  private Samples times(Work gemm) throws Exception {
    List<Double> micros = new ArrayList<>();
    try (RepetitionTimer timer = new RepetitionTimer(stream)) {
      for (int i = 0; i < settings.warmUp(); i++) {
        timer.enqueue(gemm);
        timer.collect();
      }
      long end = System.nanoTime() + settings.budgetMillis() * 1_000_000L;
      int enqueued = 0;
      while (enqueued < settings.fewest()
          || enqueued < settings.most() && System.nanoTime() < end) {
        stopIfInterrupted();
        timer.enqueue(gemm);
        enqueued++;
        if (timer.full()) {
          collect(timer, micros);
        }
      }
      collect(timer, micros);
    }
    return Samples.of(micros.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static void collect(RepetitionTimer timer, List<Double> micros) {
    timer.collect().forEach(one -> micros.add(one.deviceMs() * 1e3));
  }

  private static void stopIfInterrupted() throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException();
    }
  }
}
