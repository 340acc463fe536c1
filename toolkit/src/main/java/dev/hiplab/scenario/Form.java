package dev.hiplab.scenario;

import java.util.Map;
import java.util.Set;

/**
 * One way to write the parts of the backend that a finding is about, and how its outcomes read.
 *
 * @param name {@code FILED} (as the issue found it), {@code FIXED} (as the fix ships), or a named
 *     alternative that the issue rejected
 * @param parts backend part to the form it takes; parts that are not named are FIXED
 * @param expected outcomes that the source says this form has
 * @param forbidden outcomes that the source says this form cannot have
 */
public record Form(
    String name, Map<String, String> parts, Set<Outcome> expected, Set<Outcome> forbidden) {
  /** Name of the form that a fix ships. */
  public static final String FIXED = "FIXED";

  /** Name of the form that an issue found. */
  public static final String FILED = "FILED";

  public Form {
    parts = Map.copyOf(parts);
    expected = Set.copyOf(expected);
    forbidden = Set.copyOf(forbidden);
  }

  /** The shipped form: right outputs are expected, anything measured to be wrong is forbidden. */
  public static Form fixed() {
    return right(FIXED, Map.of());
  }

  /** An alternative that is right, whatever it costs: graded as the shipped form is. */
  public static Form right(String name, Map<String, String> parts) {
    return new Form(
        name,
        parts,
        Set.of(Outcome.EXACT, Outcome.WITHIN_BOUND, Outcome.EXCLUDED),
        Outcome.FAILURES);
  }

  /**
   * The form as filed. Nothing is forbidden: a race need not show in every run, so a run that went
   * well is only interesting.
   */
  public static Form filed(Map<String, String> parts, Set<Outcome> expected) {
    return wrong(FILED, parts, expected);
  }

  /** An alternative that the source rejects as wrong: graded as the filed form is. */
  public static Form wrong(String name, Map<String, String> parts, Set<Outcome> expected) {
    return new Form(name, parts, expected, Set.of());
  }

  /** The form that this one takes for a part; FIXED unless it says otherwise. */
  public String of(String part) {
    return parts.getOrDefault(part, FIXED);
  }

  /** How the outcome reads on this form. */
  public Grade grade(Outcome outcome) {
    if (expected.contains(outcome)) {
      return Grade.EXPECTED;
    }
    return forbidden.contains(outcome) ? Grade.FORBIDDEN : Grade.INTERESTING;
  }
}
