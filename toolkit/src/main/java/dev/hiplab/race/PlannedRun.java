package dev.hiplab.race;

import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;

/**
 * One run that a campaign is to make.
 *
 * @param name under which the scenario can be asked for again
 */
record PlannedRun(String name, Scenario scenario, Form form, Interleaving interleaving, int run) {
  /** What it is, told from every other run of its campaign. */
  String key() {
    return scenario.id() + " " + form.name() + " " + interleaving.label() + " " + run;
  }

  static String key(RunRecord run) {
    return run.scenario() + " " + run.form() + " " + run.way() + " " + run.run();
  }
}
