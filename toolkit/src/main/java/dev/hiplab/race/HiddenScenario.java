package dev.hiplab.race;

import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Scenario;
import java.util.List;

/** What the lab runs for itself in a child: it has no source and no claim, and one form. */
abstract class HiddenScenario implements Scenario {
  @Override
  public final String source() {
    return "hiplab";
  }

  @Override
  public final String claim() {
    return "";
  }

  @Override
  public final String needs() {
    return "";
  }

  @Override
  public final List<Form> forms() {
    return List.of(Form.fixed());
  }
}
