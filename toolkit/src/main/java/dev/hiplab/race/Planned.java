package dev.hiplab.race;

/** One run that a campaign is to make: where it stands in the plan. */
interface Planned {
  /** Id of the scenario, as its record has it. */
  String scenarioId();

  /** Name of the form. */
  String formName();

  /** Label of the interleaving. */
  String way();

  /** Index of the run within its form, from 0. */
  int run();

  /** What it is, told from every other run of its campaign. */
  default String key() {
    return scenarioId() + " " + formName() + " " + way() + " " + run();
  }

  /** The key of a run that was made. */
  static String key(RunRecord run) {
    return run.scenario() + " " + run.form() + " " + run.way() + " " + run.run();
  }
}
