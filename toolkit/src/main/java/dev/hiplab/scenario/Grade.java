package dev.hiplab.scenario;

/** How an outcome of a form is to be read, as the sources have it. */
public enum Grade {
  /** What the source says of this form. */
  EXPECTED,
  /** Worth a look: neither what the source says nor against it (a filed form that passed). */
  INTERESTING,
  /** Against what the source says of this form (a fixed form that failed). */
  FORBIDDEN
}
