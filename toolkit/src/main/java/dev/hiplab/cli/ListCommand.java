package dev.hiplab.cli;

import dev.hiplab.findings.Scenarios;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** What can be reproduced. */
@Command(
    name = "list",
    description = "Lists the scenarios: source, claim, forms, and what a device needs.",
    mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    for (Scenario scenario : Scenarios.all()) {
      String forms = scenario.forms().stream().map(Form::name).collect(Collectors.joining(", "));
      System.out.println(scenario.id() + "  (" + scenario.source() + ")");
      System.out.println("  " + scenario.title());
      System.out.println("  claim: " + scenario.claim());
      System.out.println("  forms: " + forms);
      System.out.println(
          "  ways: "
              + scenario.interleavings().stream()
                  .map(Interleaving::label)
                  .collect(Collectors.joining(", ")));
      System.out.println(
          "  needs: " + (scenario.needs().isEmpty() ? "any device" : scenario.needs()));
    }
    return 0;
  }
}
