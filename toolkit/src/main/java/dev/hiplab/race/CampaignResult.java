package dev.hiplab.race;

import dev.hiplab.Timeline;
import dev.hiplab.scenario.Grade;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The runs of a campaign.
 *
 * @param records oldest first
 * @param folder where they are on the disk
 * @param planned runs that the campaign was asked for; more than there are when it was stopped
 */
public record CampaignResult(List<RunRecord> records, Path folder, int planned)
    implements Iterable<RunRecord> {
  /** Lines that a form gets for what its runs had to say; heap damage crashes anywhere. */
  private static final int DETAILS = 8;

  public CampaignResult {
    records = List.copyOf(records);
  }

  /** Whether every run was done. */
  public boolean complete() {
    return records.size() >= planned;
  }

  /** One summary for each scenario and form. */
  public List<FormSummary> summaries() {
    return FormSummary.of(records);
  }

  /** Runs that ended against what the source says of their form. */
  public List<RunRecord> forbidden() {
    return records.stream().filter(run -> run.grade() == Grade.FORBIDDEN).toList();
  }

  /**
   * The timeline of one of the runs; empty when it has none: the campaign did not trace, or the
   * run's process was killed or died of a signal.
   *
   * @throws dev.hiplab.HiplabException when its file is torn or another one
   */
  public Optional<Timeline> timeline(RunRecord run) {
    return Traces.read(folder, run);
  }

  /** Whether there is a folder of timelines: not where records were copied without theirs. */
  public boolean hasTraces() {
    return Traces.areIn(folder);
  }

  @Override
  public Iterator<RunRecord> iterator() {
    return records.iterator();
  }

  /** A line for each form, below it what its runs had to say, each once, and the folder. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (FormSummary summary : summaries()) {
      text.append(summary).append('\n');
      List<Detail> details = Detail.of(summary.records());
      details.stream().limit(DETAILS).forEach(d -> text.append("  ").append(d).append('\n'));
      if (details.size() > DETAILS) {
        text.append("  and ").append(details.size() - DETAILS).append(" others: see runs.jsonl\n");
      }
      if (summary.isGuard()) {
        text.append("  no run failed: here it is a guard, not a reproduction\n");
      }
    }
    if (!complete()) {
      text.append(records.size()).append(" of ").append(planned).append(" runs were done\n");
    }
    return text.append("runs in ").append(folder).toString();
  }
}
