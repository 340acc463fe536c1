package dev.hiplab.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What runs without a GPU: native libraries, OpenBLAS, the C++ compiler of its kernels. */
final class SoftwareSection {
  private SoftwareSection() {}

  static Section of(Box box) {
    List<Check> checks = new ArrayList<>();
    Facts facts = box.facts();
    checks.add(
        broken(box, "natives", "the native libraries", "set HIPLAB_CACHE to a folder of your own")
            .orElseGet(() -> natives(facts)));
    checks.add(
        broken(box, "openblas", "OpenBLAS", "unset HIPLAB_OPENBLAS, to take the one in the jar")
            .orElseGet(
                () ->
                    Check.ok(
                        "OpenBLAS "
                            + facts.text("openblas.version")
                            + " ("
                            + facts.text("openblas.library")
                            + ", threads: "
                            + facts.text("openblas.threads")
                            + ")")));
    checks.add(
        broken(box, "compiler", "the C++ compiler", "install g++")
            .or(() -> CompilerCheck.trouble(facts))
            .orElseGet(() -> compiler(box)));
    CompilerCheck.proof(facts).ifPresent(checks::add);
    checks.add(
        broken(box, "host", "a GEMM on the software device", "send this text with a report")
            .orElseGet(() -> Check.ok("a GEMM on the software device is right")));
    return new Section("Software device", checks);
  }

  private static Check compiler(Box box) {
    Facts facts = box.facts();
    String missing = facts.text("compiler.missing");
    if (missing.isEmpty()) {
      return Check.ok(
          "kernels are compiled with "
              + facts.text("compiler.command")
              + ": "
              + facts.text("compiler.version"));
    }
    if (!box.variable("HIPLAB_CXX").isEmpty()) {
      return Check.trouble(
          missing.replaceFirst("[;:,] set it to .*", ""), Steps.wrong("HIPLAB_CXX"));
    }
    // ROCm has a compiler of its own, hiprtc.
    String told = missing.replaceFirst(": install.*", "");
    return box.rocmWanted()
        ? Check.note(told + ", which kernels need on the software device, not on ROCm")
        : Check.trouble(told, "install g++");
  }

  private static Optional<Check> broken(Box box, String part, String what, String otherwise) {
    Facts facts = box.facts();
    Optional<Check> repeated = facts.repeated(part, what);
    if (repeated.isPresent()) {
      return repeated;
    }
    String crash = facts.text(part + ".crash");
    String error = facts.text(part + ".error");
    if (crash.isEmpty() && error.isEmpty()) {
      return Optional.empty();
    }
    String step = Steps.of(box, error).orElse(otherwise);
    return Optional.of(
        crash.isEmpty()
            ? Check.trouble(what + ": " + error, step)
            : Check.trouble(what + " ended the process: " + crash, step));
  }

  private static Check natives(Facts facts) {
    String folder = facts.text("natives.folder");
    String cache = facts.text("natives.cache");
    return folder.startsWith(cache)
        ? Check.ok("native libraries load from " + folder + ", which only this user can change")
        : Check.trouble(
            "the cache " + cache + " cannot be used, so each process unpacks into " + folder,
            "set HIPLAB_CACHE to a folder that only you can write");
  }
}
