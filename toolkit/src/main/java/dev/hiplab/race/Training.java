package dev.hiplab.race;

import java.util.List;

/** Loads the classes that children use; the run that the class-data archive is made from. */
public final class Training implements Scenario {
  private static final List<Scenario> EXERCISES =
      List.of(
          new Probe(),
          new OneGemm(),
          new BlasLtSharedWorkspace(),
          new BlasLtGemmsFromManyThreads(),
          new RocblasFirstGemm());

  @Override
  public String id() {
    return "training";
  }

  @Override
  public String title() {
    return "load the classes of a child";
  }

  @Override
  public String source() {
    return "hiplab";
  }

  @Override
  public String claim() {
    return "";
  }

  @Override
  public String needs() {
    return "";
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws Exception {
    Finding last = null;
    for (Scenario exercise : EXERCISES) {
      last = exercise.run(trial);
    }
    return last;
  }
}
