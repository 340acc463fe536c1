package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.Conclusion;
import dev.hiplab.report.TerminalText;
import java.util.List;

/** A campaign's result as a command ends with it: rows, what they come to, and the folder last. */
final class ResultText {
  private ResultText() {}

  static String of(CampaignResult result) {
    String rows = result.toString();
    int folder = rows.lastIndexOf('\n') + 1;
    StringBuilder text = new StringBuilder(rows.substring(0, folder));
    Conclusion.of(result.records()).forEach(one -> text.append(one).append('\n'));
    text.append(withoutTimeline(result));
    return TerminalText.of(text.append(rows.substring(folder)).toString());
  }

  /** That a traced run left none is not seen elsewhere until somebody wants to draw it. */
  private static String withoutTimeline(CampaignResult result) {
    List<RunRecord> traced =
        result.records().stream()
            .filter(run -> "on".equals(run.environment().get("trace")))
            .toList();
    if (!traced.isEmpty() && !result.hasTraces()) {
      return "no traces/ beside these records: the timelines of "
          + traced.size()
          + (traced.size() == 1 ? " traced run" : " traced runs")
          + " are not here\n";
    }
    long without = traced.stream().filter(run -> !hasTimeline(result, run)).count();
    return without == 0
        ? ""
        : without
            + " of "
            + traced.size()
            + " traced runs left no timeline in traces/: one that is killed or dies of a signal leaves"
            + " none, nor does one that cannot write it (a full disk)\n";
  }

  private static boolean hasTimeline(CampaignResult result, RunRecord run) {
    try {
      return result.timeline(run).isPresent();
    } catch (HiplabException torn) {
      return false;
    }
  }
}
