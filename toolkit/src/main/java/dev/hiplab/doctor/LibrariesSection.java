package dev.hiplab.doctor;

import java.util.ArrayList;
import java.util.List;

/** ROCm's four libraries: where each was found and which version it is, or why it is of no use. */
final class LibrariesSection {
  private static final List<String> PARTS = List.of("hip", "hiprtc", "rocblas", "hipblaslt");

  private LibrariesSection() {}

  static Section of(Box box) {
    Facts facts = box.facts();
    List<Check> checks = new ArrayList<>();
    boolean none = PARTS.stream().allMatch(part -> "missing".equals(facts.text(part + ".state")));
    if (none && !box.rocmCounts()) {
      checks.add(
          Check.note(
              "none of libamdhip64, libhiprtc, librocblas, libhipblaslt is installed (tried "
                  + facts.text("hip.tried")
                  + " and so on)"));
    } else {
      PARTS.forEach(part -> checks.add(check(box, part)));
    }
    return new Section("ROCm's libraries", checks);
  }

  private static Check check(Box box, String part) {
    Facts facts = box.facts();
    return facts
        .failure(part, part.equals("hip") ? "libamdhip64" : "lib" + part)
        .orElseGet(
            () ->
                "whole".equals(facts.text(part + ".state"))
                    ? Check.ok(found(facts, part))
                    : Check.troubleIf(
                        box.rocmCounts() || !"missing".equals(facts.text(part + ".state")),
                        facts.text(part + ".trouble"),
                        facts.text(part + ".step")));
  }

  private static String found(Facts facts, String part) {
    String told = facts.text(part + ".version");
    String named = facts.text(part + ".fileVersion");
    return facts.text(part + ".path")
        + ", "
        + facts.text(part + ".soname")
        + ", version "
        + (told.isEmpty() ? "untold" : told + " as it says")
        + (named.isEmpty() || named.equals(told) ? "" : ", " + named + " as its file is named");
  }
}
