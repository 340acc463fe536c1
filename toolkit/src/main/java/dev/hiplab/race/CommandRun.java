package dev.hiplab.race;

/**
 * One run of a command that a campaign is to make.
 *
 * @param name of the campaign, in place of a scenario's id
 */
record CommandRun(String name, Arm arm, int run) implements Planned {
  @Override
  public String scenarioId() {
    return name;
  }

  @Override
  public String formName() {
    return arm.name();
  }

  @Override
  public String way() {
    return "natural";
  }
}
