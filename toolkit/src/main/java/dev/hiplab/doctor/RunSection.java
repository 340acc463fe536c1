package dev.hiplab.doctor;

import java.util.List;

/** A GEMM on what a command without options would use. */
final class RunSection {
  private RunSection() {}

  static Section of(Box box) {
    return new Section("What a command would use", List.of(check(box)));
  }

  private static Check check(Box box) {
    Facts facts = box.facts();
    if (facts.is("run.gemm")) {
      return Check.ok("a first GEMM is right on " + facts.text("run.provider"));
    }
    String crash = facts.text("run.crash");
    String error = facts.text("run.error");
    if (crash.isEmpty() && error.isEmpty()) {
      return Check.note("not tried, for what stands above");
    }
    return Check.trouble(
        crash.isEmpty() ? error : "a first GEMM ended its process: " + crash, step(box));
  }

  private static String step(Box box) {
    for (String name : List.of("HIPLAB_DRIVER", "HIPLAB_PROFILE", "HIPLAB_HOST_DEVICES")) {
      if (!box.variable(name).isEmpty()) {
        return "unset " + name;
      }
    }
    return box.facts().is("verdict.usable")
        ? "set HIPLAB_DRIVER=host to work on the software device meanwhile"
        : "send this text with a report";
  }
}
