package dev.hiplab.race;

/**
 * How a command ended.
 *
 * @param code exit code; 128 + n when signal n ended it; -1 when the deadline did
 * @param hung whether the deadline passed
 * @param deadlineSeconds that it had
 * @param wallMillis start to end, without what is done after it
 */
record CommandExit(int code, boolean hung, long deadlineSeconds, double wallMillis) {
  /** Whether the shell says that it found no such command, or may not run it. */
  boolean notFound() {
    return code == 126 || code == 127;
  }
}
