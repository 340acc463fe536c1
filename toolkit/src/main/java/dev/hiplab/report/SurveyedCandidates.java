package dev.hiplab.report;

import dev.hiplab.Candidate;
import dev.hiplab.findings.SurveyWorkspace;
import dev.hiplab.race.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Candidates that runs of {@code survey.workspace} wrote down, for a plot of any device's. */
public final class SurveyedCandidates {
  private SurveyedCandidates() {}

  /**
   * What the first run on each profile (or device) was offered.
   *
   * @param records of any scenarios; those of the survey count
   * @return profile, else device, to candidates in the order of shapes; their waves are not known
   *     (NaN). Empty without a survey
   */
  public static Map<String, List<Candidate>> of(List<RunRecord> records) {
    Map<String, List<Candidate>> surveys = new LinkedHashMap<>();
    for (RunRecord run : records) {
      if (run.scenario().equals(SurveyWorkspace.ID)) {
        String device = run.environment().getOrDefault("device", "device");
        String where = run.profile().isEmpty() ? device : run.profile();
        List<Candidate> offered = candidates(run);
        if (!offered.isEmpty()) {
          surveys.putIfAbsent(where, offered);
        }
      }
    }
    return surveys;
  }

  private static List<Candidate> candidates(RunRecord run) {
    List<Candidate> offered = new ArrayList<>();
    run.counters()
        .forEach(
            (name, bytes) -> {
              int sign = name.lastIndexOf('#');
              if (name.startsWith(SurveyWorkspace.BYTES) && sign > 0) {
                String shape = name.substring(SurveyWorkspace.BYTES.length(), sign);
                int index = Integer.parseInt(name.substring(sign + 1));
                offered.add(new Candidate(shape, index, bytes, Float.NaN, -1, ""));
              }
            });
    Comparator<Candidate> order =
        Comparator.comparingInt(one -> SurveyWorkspace.place(one.shape()));
    offered.sort(order.thenComparing(Candidate::shape).thenComparingInt(Candidate::index));
    return List.copyOf(offered);
  }
}
