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
        broken(facts, "natives", "the native libraries", "set HIPLAB_CACHE to a folder of your own")
            .orElseGet(() -> natives(facts)));
    checks.add(
        broken(facts, "openblas", "OpenBLAS", "unset HIPLAB_OPENBLAS, to take the one in the jar")
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
    String missing = facts.text("compiler.missing");
    checks.add(
        broken(facts, "compiler", "the C++ compiler", "install g++")
            .or(() -> CompilerCheck.trouble(facts))
            .orElseGet(
                () ->
                    missing.isEmpty()
                        ? Check.ok(
                            "kernels are compiled with "
                                + facts.text("compiler.command")
                                + ": "
                                + facts.text("compiler.version"))
                        : Check.trouble(missing.replaceFirst(": install.*", ""), "install g++")));
    CompilerCheck.proof(facts).ifPresent(checks::add);
    checks.add(
        broken(facts, "host", "a GEMM on the software device", "send this text with a report")
            .orElseGet(() -> Check.ok("a GEMM on the software device is right")));
    return new Section("Software device", checks);
  }

  private static Optional<Check> broken(Facts facts, String part, String what, String step) {
    String crash = facts.text(part + ".crash");
    String error = facts.text(part + ".error");
    if (crash.isEmpty() && error.isEmpty()) {
      return Optional.empty();
    }
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
