package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;
import dev.hiplab.scenario.Way;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Reads the names of forms and ways that a person asked for against what the scenarios have. */
final class Selection {
  private Selection() {}

  /**
   * Checks that forms and interleavings can be told apart by their names.
   *
   * @throws HiplabException naming the scenario and the name that it gives twice
   */
  static void check(List<Scenario> scenarios) {
    for (Scenario scenario : scenarios) {
      some(scenario, "forms", scenario.forms(), "List.of(Form.fixed())");
      some(scenario, "interleavings", scenario.interleavings(), "List.of(Interleaving.natural())");
      once(scenario, "forms", scenario.forms().stream().map(Form::name).toList(), "");
      once(
          scenario,
          "interleavings",
          scenario.interleavings().stream().map(Interleaving::label).toList(),
          ": Interleaving.forced(...).named(\"leak\")");
    }
  }

  private static void some(Scenario scenario, String what, List<?> list, String such) {
    if (list == null || list.isEmpty() || list.stream().anyMatch(Objects::isNull)) {
      throw new HiplabException(
          "scenario "
              + scenario.id()
              + " has no "
              + what
              + " to run, but "
              + list
              + "; return "
              + such);
    }
  }

  private static void once(Scenario scenario, String what, List<String> names, String how) {
    Set<String> seen = new LinkedHashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new HiplabException(
            "scenario "
                + scenario.id()
                + " has two "
                + what
                + " that are called '"
                + name
                + "'; give each a name of its own"
                + how);
      }
    }
  }

  /**
   * The forms, as the scenarios spell them. One that a scenario lacks is not run there; FILED and
   * FIXED are words that every scenario knows.
   *
   * @throws HiplabException for one that nobody knows
   */
  static List<String> forms(List<Scenario> scenarios, List<String> asked) {
    Set<String> known = new LinkedHashSet<>(List.of(Form.FILED, Form.FIXED));
    for (Scenario scenario : scenarios) {
      scenario.forms().stream().map(Form::name).forEach(known::add);
    }
    return read("form", scenarios, asked, known);
  }

  /**
   * The ways, likewise: {@code forced} stands for every forced interleaving.
   *
   * @throws HiplabException for one that no scenario has
   */
  static List<String> ways(List<Scenario> scenarios, List<String> asked) {
    Set<String> known = new LinkedHashSet<>();
    for (Way way : Way.values()) {
      known.add(way.text());
    }
    for (Scenario scenario : scenarios) {
      scenario.interleavings().stream().map(Interleaving::label).forEach(known::add);
    }
    return read("way", scenarios, asked, known);
  }

  private static List<String> read(
      String what, List<Scenario> scenarios, List<String> asked, Set<String> known) {
    Set<String> names = new LinkedHashSet<>();
    for (String name : asked) {
      names.add(
          known.stream()
              .filter(name::equalsIgnoreCase)
              .findFirst()
              .orElseThrow(() -> unknown(what, name, scenarios, known)));
    }
    return List.copyOf(names);
  }

  private static HiplabException unknown(
      String what, String name, List<Scenario> scenarios, Set<String> known) {
    String who =
        scenarios.size() == 1
            ? "scenario " + scenarios.get(0).id() + " has no "
            : "none of the " + scenarios.size() + " scenarios has a ";
    return new HiplabException(
        who + what + " '" + name + "'; there are " + String.join(", ", known));
  }
}
