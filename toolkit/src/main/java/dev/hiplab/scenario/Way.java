package dev.hiplab.scenario;

import java.util.Locale;

/** How the interleaving of a run came about; told with every result. */
public enum Way {
  /** Nobody was in charge: what the machine does by itself. */
  NATURAL,
  /** A thread waits a while at a named point, so that a window is wider than by itself. */
  DELAYED,
  /** The very order of the source is forced on named threads, or shown to be impossible. */
  FORCED;

  /** As it is typed and printed: {@code natural}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
