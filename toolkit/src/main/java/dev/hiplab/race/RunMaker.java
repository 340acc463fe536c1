package dev.hiplab.race;

import java.io.IOException;

/** Makes the runs of a plan, each in a process of its own. */
interface RunMaker<P extends Planned> {
  /**
   * Makes one run. Thread-safe: several may be made at once.
   *
   * @param campaign id that the record is to have
   * @throws InterruptedException when this thread was interrupted; the process is gone then
   */
  RunRecord run(String campaign, P planned) throws IOException, InterruptedException;
}
