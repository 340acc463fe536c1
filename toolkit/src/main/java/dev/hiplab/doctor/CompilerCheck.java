package dev.hiplab.doctor;

import java.util.Optional;

/** Whether the compiler that was found compiles kernels, as {@link KernelTrial} found out. */
final class CompilerCheck {
  private static final String OTHER = "set HIPLAB_CXX to a C++ compiler";

  private CompilerCheck() {}

  /** Why it does not; empty when it does, and where none was found or nothing could be tried. */
  static Optional<Check> trouble(Facts facts) {
    String hosts = facts.text("host.error");
    String error = facts.text("kernel.error");
    String crash = facts.text("kernel.crash");
    boolean tried = facts.text("compiler.missing").isEmpty() && facts.text("host.crash").isEmpty();
    if (!tried || !hosts.isEmpty() || (error.isEmpty() && crash.isEmpty())) {
      return Optional.empty();
    }
    String what = "a kernel compiled with " + facts.text("compiler.command");
    if (error.isEmpty()) {
      return Optional.of(Check.trouble(what + " ended the process: " + crash, OTHER));
    }
    // Errors of the compiler's end with what to do.
    int step = error.lastIndexOf(": set ");
    return Optional.of(
        step < 0
            ? Check.trouble(what + " does not work: " + error.strip(), step(error))
            : Check.trouble(
                what + " does not work: " + error.substring(0, step),
                error.substring(step + 2).strip()));
  }

  /** Of an error that has none: the folder's fault is not the compiler's. */
  private static String step(String error) {
    return error.contains("cannot make a folder") || error.contains("cannot write")
        ? "set TMPDIR to a writable folder with room"
        : OTHER;
  }

  /** That it does. */
  static Optional<Check> proof(Facts facts) {
    return facts.is(KernelTrial.RIGHT)
        ? Optional.of(Check.ok("a kernel compiles, loads and is right"))
        : Optional.empty();
  }
}
