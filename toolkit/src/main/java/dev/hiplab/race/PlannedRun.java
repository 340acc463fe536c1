package dev.hiplab.race;

import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;

/**
 * One run of a scenario that a campaign is to make.
 *
 * @param name under which the scenario can be asked for again
 */
record PlannedRun(String name, Scenario scenario, Form form, Interleaving interleaving, int run)
    implements Planned {
  @Override
  public String scenarioId() {
    return scenario.id();
  }

  @Override
  public String formName() {
    return form.name();
  }

  @Override
  public String way() {
    return interleaving.label();
  }
}
