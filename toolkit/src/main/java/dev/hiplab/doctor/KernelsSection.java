package dev.hiplab.doctor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether the BLAS libraries brought GPU kernels for the GPUs that are here. */
final class KernelsSection {
  private KernelsSection() {}

  static Section of(Box box) {
    List<Check> checks = new ArrayList<>();
    for (String name : List.of("rocblas", "hipblaslt")) {
      if (box.facts().values().containsKey(name + ".kernels.archs")) {
        check(box, name, checks);
      }
    }
    if (checks.isEmpty()) {
      checks.add(
          Check.note("neither rocBLAS nor hipBLASLt was loaded, so there is nothing to see"));
    }
    return new Section("Kernels of rocBLAS and hipBLASLt", checks);
  }

  private static void check(Box box, String name, List<Check> checks) {
    Facts facts = box.facts();
    String folder = facts.text(name + ".kernels.folder");
    String has = facts.text(name + ".kernels.archs");
    if (folder.isEmpty()) {
      checks.add(Check.note(name + ": no folder of kernels beside the library"));
      return;
    }
    if (has.isEmpty()) {
      checks.add(
          Check.note(
              name
                  + ": file names in "
                  + folder
                  + " tell no architecture"
                  + (facts.is(name + ".kernels.merged") ? " (one index for all)" : "")));
      return;
    }
    Set<String> architectures = architectures(facts);
    for (String arch : architectures) {
      String files = facts.text(name + ".kernels." + arch);
      checks.add(
          files.isEmpty()
              ? Check.trouble(
                  name + " has no kernels for " + arch + " in " + folder + ", but for " + has,
                  "install a " + name + " with kernels for " + arch)
              : Check.ok(
                  name + " has kernels for " + arch + " (" + files + " files in " + folder + ")"));
    }
    if (architectures.isEmpty()) {
      checks.add(Check.ok(name + " has kernels for " + has + " (" + folder + ")"));
    }
  }

  /** Of HIP's devices, as an override of the architecture counts there; else of the topology's. */
  private static Set<String> architectures(Facts facts) {
    Set<String> found = new LinkedHashSet<>();
    facts.listed("device", "arch").forEach(arch -> found.add(arch.replaceFirst(":.*", "")));
    if (found.isEmpty()) {
      found.addAll(facts.listed("gpu", "arch"));
    }
    found.remove("");
    return found;
  }
}
