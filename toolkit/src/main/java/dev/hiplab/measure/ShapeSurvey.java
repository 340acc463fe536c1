package dev.hiplab.measure;

import dev.hiplab.Candidate;
import dev.hiplab.Candidates;
import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One shape of a survey: what the heuristic offers, and what comes of each candidate. What cannot
 * be done is a row that says why.
 */
final class ShapeSurvey {
  private static final Reference.Comparison NOT_RUN = Reference.Comparison.none(Verdict.NOT_RUN);
  private static final Reference.Comparison FAILED = Reference.Comparison.none(Verdict.FAILED);

  private final Device device;
  private final Stream stream;
  private final SurveySettings settings;
  private final MeasureListener listener;
  private final DeviceSums sums;

  ShapeSurvey(Device device, Stream stream, SurveySettings settings, MeasureListener listener) {
    this.device = device;
    this.stream = stream;
    sums = new DeviceSums(device);
    this.settings = settings;
    this.listener = listener;
  }

  /**
   * Surveys it.
   *
   * @throws InterruptedException when the thread is interrupted before it is done
   * @throws HiplabException when the device is lost
   */
  List<SurveyRow> run(Problem problem) throws InterruptedException {
    listener.running(problem.label());
    String tooLarge = settings.timing() ? problem.tooLarge() : "";
    if (!tooLarge.isEmpty()) {
      return List.of(SurveyRow.none(problem, tooLarge));
    }
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
      if (CandidateRun.isLost(e)) {
        throw e;
      }
      return List.of(SurveyRow.none(problem, e.getMessage()));
    } catch (OutOfMemoryError e) { // for the host's copies of the matrices
      return List.of(
          SurveyRow.none(
              problem,
              "Java has too little memory for its matrices ("
                  + e.getMessage()
                  + "); give it more with -Xmx"));
    }
  }

  private static List<SurveyRow> all(
      Problem problem, List<Candidate> offered, Reference.Comparison what, String reason) {
    return offered.stream()
        .map(one -> SurveyRow.of(problem, offered.size(), one, SurveyRow.Times.NONE, what, reason))
        .toList();
  }

  private List<SurveyRow> measured(Problem problem, Candidates candidates)
      throws InterruptedException {
    List<Candidate> offered = candidates.list();
    try (SurveyInputs inputs = SurveyInputs.of(device, problem, settings.seed())) {
      Reference reference =
          inputs.reference(
              problem,
              settings.seed(),
              settings.checkedMultiplyAdds(),
              sums.addsIeee(problem.dtype()));
      Function<Candidate, Work> gemm =
          one -> on -> on.gemm(candidates, one.index(), inputs.a, inputs.b, inputs.c);
      return measured(problem, offered, gemm, inputs, reference);
    } catch (HiplabException e) { // no memory for them
      if (CandidateRun.isLost(e)) {
        throw e;
      }
      return all(problem, offered, FAILED, e.getMessage());
    }
  }

  /**
   * Runs each candidate's GEMM on a poisoned C and compares that; then times them in rounds, a
   * batch of each in turn, each round begun by the next, so that what the machine does meanwhile it
   * does to all alike.
   */
  List<SurveyRow> measured(
      Problem problem,
      List<Candidate> offered,
      Function<Candidate, Work> gemm,
      SurveyInputs inputs,
      Reference reference)
      throws InterruptedException {
    List<CandidateRun> runs = new ArrayList<>();
    try {
      for (Candidate candidate : offered) {
        stopIfInterrupted();
        listener.running(problem.label() + ", candidate " + candidate.index());
        runs.add(new CandidateRun(candidate, gemm.apply(candidate), stream, settings));
        runs.get(runs.size() - 1).compare(inputs, reference);
      }
      for (int round = 0; !runs.stream().allMatch(CandidateRun::done); round++) {
        listener.running(problem.label() + ", round " + round);
        for (int i = 0; i < runs.size(); i++) {
          stopIfInterrupted();
          CandidateRun run = runs.get((round + i) % runs.size());
          if (!run.done()) {
            run.turn();
          }
        }
      }
      stopIfInterrupted();
      return runs.stream().map(run -> run.row(problem, offered.size())).toList();
    } finally {
      runs.forEach(CandidateRun::close);
    }
  }

  private static void stopIfInterrupted() throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException();
    }
  }
}
