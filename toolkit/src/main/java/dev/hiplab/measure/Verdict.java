package dev.hiplab.measure;

import java.util.Locale;

/** What a candidate's output was found to be. */
public enum Verdict {
  /** Every output that was compared is the reference, rounded once to the output's type. */
  EXACT,
  /** None is further from it than {@link Reference#bound} allows. */
  WITHIN_BOUND,
  /** One is, or one of all outputs is no number: the candidate did not write it. */
  WRONG,
  /** It could not be run; the row's reason says why. */
  FAILED,
  /** Nobody ran it. */
  NOT_RUN,
  /** The row is of a shape without candidates; its reason says why. */
  NO_CANDIDATE;

  /** As it stands in tables and files: {@code within bound}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static Verdict of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
