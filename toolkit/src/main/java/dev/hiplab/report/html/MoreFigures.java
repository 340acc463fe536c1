package dev.hiplab.report.html;

import dev.hiplab.Candidate;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.FormCost;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.CostPlot;
import dev.hiplab.report.LanesReport;
import dev.hiplab.report.Origin;
import dev.hiplab.report.SurveyedCandidates;
import dev.hiplab.report.WorkspacePlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figures that only some scenarios have: costs of forms, a survey of workspace, lanes. */
final class MoreFigures {
  private MoreFigures() {}

  static String of(CampaignRuns runs, String scenario, int scale) {
    List<RunRecord> records =
        runs.records().stream().filter(run -> run.scenario().equals(scenario)).toList();
    StringBuilder html = new StringBuilder();
    if (records.stream().allMatch(FormCost::made)) {
      String words = "Throughput and overlap of each form, median and quartiles.";
      html.append(Figure.of(CostPlot.of(records), words, scale));
    }
    Map<String, List<Candidate>> offered = SurveyedCandidates.of(records);
    if (!offered.isEmpty()) {
      String words = "Workspace in bytes that each candidate asks for, shape by shape.";
      html.append(Figure.of(WorkspacePlot.of(Origin.of(records), offered), words, scale));
    }
    for (CampaignResult campaign : runs.campaigns()) {
      List<RunRecord> its =
          campaign.records().stream().filter(run -> run.scenario().equals(scenario)).toList();
      CampaignResult part = new CampaignResult(its, campaign.folder(), its.size());
      List<String> leftOut = new ArrayList<>();
      LanesReport.charts(part, leftOut::add)
          .forEach(
              (form, chart) ->
                  html.append(
                      Figure.of(
                          chart,
                          "Who enqueued and what ran when, in one traced run of " + form + ".",
                          scale)));
      leftOut.forEach(line -> html.append(Html.element("p", line)).append('\n'));
    }
    return html.toString();
  }
}
