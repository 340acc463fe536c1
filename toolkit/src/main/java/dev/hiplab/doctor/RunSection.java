package dev.hiplab.doctor;

import java.util.List;

/** A GEMM on what a command without options would use. */
final class RunSection {
  private RunSection() {}

  /** {@code above}: the sections about ROCm, whose troubles need not be told again. */
  static Section of(Box box, List<Section> above) {
    boolean troubled =
        above.stream()
            .flatMap(section -> section.checks().stream())
            .anyMatch(check -> check.level() == Level.TROUBLE);
    boolean told = troubled && box.driverIsRocm() && !box.facts().is("verdict.usable");
    return new Section("What a command would use", List.of(check(box, told)));
  }

  private static Check check(Box box, boolean told) {
    Facts facts = box.facts();
    if (facts.is("run.gemm")) {
      return Check.ok("a first GEMM is right on " + facts.text("run.provider"));
    }
    String crash = facts.text("run.crash");
    String error = facts.text("run.error");
    if (crash.isEmpty() && error.isEmpty()) {
      return Check.note("not tried, for what stands above");
    }
    if (crash.isEmpty() && told) {
      return Check.note("driver rocm was asked for, which is not usable for what stands above");
    }
    String what = "what a command would use";
    return facts
        .repeated("run", what)
        .orElseGet(
            () ->
                Check.trouble(
                    crash.isEmpty() ? error : "a first GEMM ended its process: " + crash,
                    step(box, error)));
  }

  private static String step(Box box, String error) {
    boolean usable = box.facts().is("verdict.usable");
    return Steps.of(box, error)
        .orElse(
            !usable
                ? "send this text with a report"
                : box.rocmWanted()
                    ? "install ROCm's libraries again, all from one source"
                    : "set HIPLAB_DRIVER=host to work on the software device meanwhile");
  }
}
