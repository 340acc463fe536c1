package dev.hiplab.scenario;

import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import java.util.List;
import java.util.Map;

/**
 * A finding that can be run: what its source claims, the forms to compare, and the workload.
 *
 * <p>A campaign names a scenario by its class and a child process makes it anew, so an
 * implementation needs a public constructor without parameters and holds no state.
 */
public interface Scenario {
  /** Such as {@code rocblas.first-gemm}. */
  String id();

  /** One line. */
  String title();

  /** Where the finding was filed, such as {@code mlxcel 2198}. */
  String source();

  /** What the source says happens, in a sentence. */
  String claim();

  /** What a device must have for the finding to be possible; empty when any device will do. */
  String needs();

  /** The forms to compare, in the order in which they alternate. */
  List<Form> forms();

  /**
   * The ways to run it: naturally, and where the source writes down an order, that order forced.
   */
  default List<Interleaving> interleavings() {
    return List.of(Interleaving.natural());
  }

  /** Whether it makes sense to run that form so; every form in every way unless said. */
  default boolean runs(Form form, Interleaving interleaving) {
    return true;
  }

  /**
   * What the backend of a run is opened with, beside driver, profile and the form's parts: a driver
   * call that fails, say.
   */
  default Options options(Options options) {
    return options;
  }

  /** The same, where an interleaving needs options of its own. */
  default Options options(Options options, Interleaving interleaving) {
    return options(options);
  }

  /**
   * Text that a line of the child's standard error must hold, to the number of such lines. The
   * parent counts them, because the native layer writes them past the JVM.
   */
  default Map<String, Integer> stderrLines() {
    return Map.of();
  }

  /**
   * Runs the workload once, in a fresh process and on a backend in the form under test.
   *
   * @throws Exception when the workload cannot go on; the run ends as {@link Outcome#ERROR}
   */
  Finding run(Trial trial) throws Exception;

  /** The form of that name. */
  default Form form(String name) {
    StringBuilder names = new StringBuilder();
    for (Form form : forms()) {
      if (form.name().equalsIgnoreCase(name)) {
        return form;
      }
      names.append(names.length() == 0 ? "" : ", ").append(form.name());
    }
    throw new HiplabException(
        "scenario " + id() + " has no form '" + name + "'; it has " + names + "");
  }

  /** The interleaving of that label. */
  default Interleaving interleaving(String label) {
    StringBuilder labels = new StringBuilder();
    for (Interleaving interleaving : interleavings()) {
      if (interleaving.label().equals(label)) {
        return interleaving;
      }
      labels.append(labels.length() == 0 ? "" : ", ").append(interleaving.label());
    }
    throw new HiplabException(
        "scenario " + id() + " cannot run the way '" + label + "'; it has " + labels);
  }
}
