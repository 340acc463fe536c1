package dev.hiplab.race;

import java.nio.file.Path;
import java.util.Map;

/** Told of a campaign's progress, on the thread that runs it. */
public interface CampaignListener {
  /** A listener that does nothing. */
  CampaignListener SILENT = new CampaignListener() {};

  /**
   * Before the first run.
   *
   * @param folder where the campaign writes
   * @param environment provider, reason, device and versions that the children will have
   * @param total runs of the whole campaign
   * @param done runs that a resumed campaign had already
   */
  default void started(Path folder, Map<String, String> environment, int total, int done) {}

  /**
   * A run is about to start.
   *
   * @param way label of its interleaving
   */
  default void running(String scenario, String form, String way, int run) {}

  /** A run has ended and is on the disk. */
  default void ended(RunRecord run, int done, int total) {}
}
