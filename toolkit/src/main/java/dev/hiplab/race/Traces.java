package dev.hiplab.race;

import dev.hiplab.Timeline;
import dev.hiplab.Trace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The timelines of a traced campaign: a file for each run in a sub-folder of its folder. */
final class Traces {
  static final String FOLDER = "traces";

  private Traces() {}

  /** Where the timeline of a run is, or would be. */
  static Path file(Path campaign, String scenario, String form, String way, int run) {
    String name = scenario + "-" + form + "-" + way + "-" + run;
    return campaign.resolve(FOLDER).resolve(name.replaceAll("[^A-Za-z0-9._-]", "_") + ".jsonl");
  }

  /**
   * The timeline of a run; empty when it has none: its campaign did not trace, or its process was
   * killed or died of a signal.
   */
  static Optional<Timeline> read(Path campaign, RunRecord run) {
    Path file = file(folder(campaign), run.scenario(), run.form(), run.way(), run.run());
    return Files.exists(file) ? Optional.of(Timeline.read(file)) : Optional.empty();
  }

  /** Whether the campaign, or its log, has a folder of timelines beside it. */
  static boolean areIn(Path campaign) {
    return Files.isDirectory(folder(campaign).resolve(FOLDER));
  }

  private static Path folder(Path campaign) {
    return Files.isRegularFile(campaign) ? campaign.resolveSibling("") : campaign; // its log
  }

  /** In a child: ends the trace and writes it. That it cannot is no outcome of a form. */
  static void end(Trace trace, Path file) {
    try {
      trace.end().write(file);
    } catch (RuntimeException e) {
      System.err.println("hiplab: " + e.getMessage());
    }
  }
}
