package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The runs of a campaign, whatever they run, and who makes them.
 *
 * @param runs in the order in which they are made
 * @param maker makes them
 * @param environment what a listener is told that they run on
 */
record Plan<P extends Planned>(List<P> runs, RunMaker<P> maker, Map<String, String> environment) {
  /**
   * Makes what is not in the folder yet. An interrupt ends it, keeps what is done and leaves the
   * thread's interrupt flag set.
   *
   * @throws HiplabException when a run in the folder is not one of these
   */
  CampaignResult carryOut(CampaignFolder folder, int jobs, CampaignListener listener)
      throws IOException {
    Set<String> done = done(folder);
    Path path = folder.path();
    listener.started(path, environment, runs.size(), folder.done().size());
    List<P> left = runs.stream().filter(run -> !done.contains(run.key())).toList();
    Jobs<P> work = new Jobs<>(maker, folder, listener, runs.size());
    try {
      work.run(left, jobs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new CampaignResult(work.records(), path, runs.size());
  }

  /**
   * What is done of the plan.
   *
   * @throws HiplabException when a run in the folder is another campaign's, is not planned, or
   *     stands there twice: the counts would be nobody's
   */
  private Set<String> done(CampaignFolder folder) {
    Set<String> done = new HashSet<>();
    if (folder.done().isEmpty()) {
      return done;
    }
    Set<String> planned = new HashSet<>();
    runs.forEach(run -> planned.add(run.key()));
    for (RunRecord run : folder.done()) {
      String key = Planned.key(run);
      String wrong = "";
      if (!run.campaign().equals(folder.id())) {
        wrong = "is of campaign " + run.campaign() + ", not of " + folder.id();
      } else if (!planned.contains(key)) {
        wrong = "is not one that this campaign makes";
      } else if (!done.add(key)) {
        wrong = "stands there twice";
      }
      if (!wrong.isEmpty()) {
        throw new HiplabException(
            folder.path().resolve(RunLog.FILE)
                + " cannot be resumed: its run '"
                + key
                + "' "
                + wrong
                + "; take that line out, or name another folder");
      }
    }
    return done;
  }
}
