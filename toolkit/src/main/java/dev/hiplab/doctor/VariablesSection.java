package dev.hiplab.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Variables of the environment that change what runs. */
final class VariablesSection {
  private static final List<String> OURS =
      List.of(
          "HIPLAB_DRIVER",
          "HIPLAB_PROFILE",
          "HIPLAB_HOST_DEVICES",
          "HIPLAB_HOST_MEMORY_BYTES",
          "HIPLAB_ROCM_PATH",
          "HIPLAB_OPENBLAS",
          "HIPLAB_CACHE",
          "HIPLAB_KERNEL_CACHE",
          "HIPLAB_CXX",
          "HIPLAB_OUT",
          "HIPLAB_JUPYTER",
          "HIPLAB_JAR");

  private static final List<String> FOLDERS =
      List.of("HIPLAB_ROCM_PATH", "ROCBLAS_TENSILE_LIBPATH", "HIPBLASLT_TENSILE_LIBPATH");

  private static final List<String> HIDING =
      List.of(
          "HIP_VISIBLE_DEVICES",
          "ROCR_VISIBLE_DEVICES",
          "CUDA_VISIBLE_DEVICES",
          "GPU_DEVICE_ORDINAL");

  private VariablesSection() {}

  static Section of(Box box) {
    List<Check> checks = new ArrayList<>();
    for (String name : OURS) {
      if (isSet(box, name) && !FOLDERS.contains(name)) {
        checks.add(Check.ok(told(box, name)));
      }
    }
    unknown(box, checks);
    FOLDERS.forEach(name -> folder(box, name, checks));
    for (String name : HIDING) {
      if (isSet(box, name)) {
        checks.add(Check.note(told(box, name) + ": HIP sees only the devices that it names"));
      }
    }
    if (isSet(box, "HSA_OVERRIDE_GFX_VERSION")) {
      checks.add(
          Check.note(
              told(box, "HSA_OVERRIDE_GFX_VERSION")
                  + ": ROCm takes the GPU for another architecture"));
    }
    if (isSet(box, "GPU_MAX_HW_QUEUES")) {
      checks.add(
          Check.note(
              told(box, "GPU_MAX_HW_QUEUES")
                  + ": hardware queues that streams share (4 when unset); few of them hide races"));
    }
    if (isSet(box, "LD_LIBRARY_PATH")) {
      checks.add(
          Check.note(told(box, "LD_LIBRARY_PATH") + ": libraries are taken from there first"));
    }
    if (checks.isEmpty()) {
      checks.add(Check.ok("none is set of those that matter"));
    }
    return new Section("Environment", checks);
  }

  private static void unknown(Box box, List<Check> checks) {
    for (String name : new TreeSet<>(box.environment().keySet())) {
      if (name.startsWith("HIPLAB_") && !OURS.contains(name)) {
        checks.add(Check.note(name + " is set, and no setting of hiplab's has that name"));
      }
    }
  }

  private static void folder(Box box, String name, List<Check> checks) {
    if (!isSet(box, name)) {
      return;
    }
    Optional<Path> path = ForeignPath.of(box.variable(name));
    if (path.isEmpty()) {
      // A note: libraries take its bytes as they are.
      checks.add(Check.note(told(box, name) + " " + ForeignPath.none()));
      return;
    }
    checks.add(
        Files.isDirectory(path.get())
            ? Check.ok(told(box, name))
            : Check.trouble(told(box, name) + " is no folder", "unset " + name));
  }

  private static boolean isSet(Box box, String name) {
    return box.environment().containsKey(name);
  }

  private static String told(Box box, String name) {
    return name + "=" + box.variable(name);
  }
}
