package dev.hiplab.doctor;

/** How a line of the doctor stands. */
public enum Level {
  /** As it should be. */
  OK,
  /** Worth knowing; nothing that has to be done. */
  NOTE,
  /** Something does not work: the line says what to do. */
  TROUBLE
}
