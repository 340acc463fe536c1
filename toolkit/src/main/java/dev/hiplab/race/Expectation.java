package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import java.util.Map;
import java.util.Set;

/** What the runs of an arm are said to end with. */
public enum Expectation {
  /** Nothing was said: passing is the command's own claim, and nothing is forbidden. */
  NONE,
  /** It passes: every failure is forbidden. */
  PASS,
  /** It fails: passing is only interesting, as a race need not show in every run. */
  FAIL;

  /** Reads {@code pass} or {@code fail}. */
  static Expectation of(String arm, String text) {
    return switch (text) {
      case "pass" -> PASS;
      case "fail" -> FAIL;
      default ->
          throw new HiplabException(
              "arm '" + arm + "' expects '" + text + "'; it can expect pass or fail");
    };
  }

  /** The arm as a form, which grades outcomes. NOT_APPLICABLE is interesting in every arm. */
  Form form(String arm) {
    return new Form(
        arm,
        Map.of(),
        this == FAIL ? Outcome.FAILURES : Outcome.PASSES,
        this == PASS ? Outcome.FAILURES : Set.of());
  }
}
