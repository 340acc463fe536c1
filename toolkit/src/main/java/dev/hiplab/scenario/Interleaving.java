package dev.hiplab.scenario;

import dev.hiplab.HiplabException;

/**
 * One way to run a workload: which schedule is in charge of its threads.
 *
 * @param way natural, delayed or forced
 * @param name tells it from others of the same way; empty when there is one only
 * @param schedule text for {@link dev.hiplab.Schedule#start}; empty for a natural run
 */
public record Interleaving(Way way, String name, String schedule) {
  private static final Interleaving NATURAL = new Interleaving(Way.NATURAL, "", "");

  public Interleaving {
    if (!name.matches("[a-z0-9-]*")) {
      throw new HiplabException(
          "the name of an interleaving is '" + name + "'; use lower case letters, digits and '-'");
    }
    if (schedule.isBlank() != (way == Way.NATURAL)) {
      throw new HiplabException(
          way == Way.NATURAL
              ? "a natural interleaving has no schedule"
              : "a " + way.text() + " interleaving needs a schedule: order A:x -> B:y");
    }
  }

  /** Nobody in charge. */
  public static Interleaving natural() {
    return NATURAL;
  }

  /** {@code delay POINT TIME} lines. */
  public static Interleaving delayed(String... lines) {
    return new Interleaving(Way.DELAYED, "", text(lines));
  }

  /** {@code order A:x -> B:y} lines. */
  public static Interleaving forced(String... lines) {
    return new Interleaving(Way.FORCED, "", text(lines));
  }

  /** One of several of its way, which are told apart by their names. */
  public Interleaving named(String itsName) {
    return new Interleaving(way, itsName, schedule);
  }

  /** What a line says behind a form's name: the label after a blank, of a natural run nothing. */
  public static String suffix(String label) {
    return label.equals(NATURAL.label()) ? "" : " " + label;
  }

  private static String text(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  /** {@code natural}, {@code forced}, or {@code forced:leak} where there are several. */
  public String label() {
    return way.text() + (name.isEmpty() ? "" : ":" + name);
  }
}
