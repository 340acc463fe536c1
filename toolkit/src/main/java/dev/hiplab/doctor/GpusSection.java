package dev.hiplab.doctor;

import java.util.ArrayList;
import java.util.List;

/** GPUs as the kernel lists them, and what HIP makes of them. */
final class GpusSection {
  private GpusSection() {}

  static Section of(Box box) {
    Facts facts = box.facts();
    List<Check> checks = new ArrayList<>();
    List<String> nodes = facts.listed("gpu", "node");
    for (int n = 0; n < nodes.size(); n++) {
      String arch = facts.text("gpu." + n + ".arch");
      checks.add(
          Check.ok(
              "node "
                  + nodes.get(n)
                  + " of the driver's topology: "
                  + (arch.isEmpty() ? "a GPU that tells no architecture" : arch)
                  + ", "
                  + facts.text("gpu." + n + ".simds")
                  + " SIMDs"));
    }
    if (nodes.isEmpty()) {
      checks.add(Check.note(none(facts)));
    }
    hip(box, checks);
    return new Section("GPUs", checks);
  }

  private static String none(Facts facts) {
    List<String> addresses = facts.listed("pci", "address");
    String topology =
        facts.is("topology.there")
            ? "no GPU among the "
                + facts.text("topology.nodes")
                + " node(s) of the driver's topology ("
                + facts.text("topology.forbidden")
                + " of them may not be read)"
            : "no topology of the compute driver (" + facts.text("topology.folder") + ")";
    return topology
        + (addresses.isEmpty()
            ? ", and no AMD GPU on the PCI bus"
            : "; on the PCI bus: " + String.join(", ", addresses));
  }

  private static void hip(Box box, List<Check> checks) {
    Facts facts = box.facts();
    if (facts.values().containsKey("hip.devices")) {
      int devices = facts.number("hip.devices");
      List<String> names = new ArrayList<>();
      for (int n = 0; n < devices; n++) {
        names.add(
            facts.text("device." + n + ".name") + " (" + facts.text("device." + n + ".arch") + ")");
      }
      String told = "HIP has " + devices + " device(s)";
      checks.add(
          devices > 0
              ? Check.ok(told + ": " + String.join(", ", names))
              : Check.note(told + " (hipGetDeviceCount: " + facts.text("hip.countStatus") + ")"));
    }
    facts
        .failure("verdict", "looking for a device")
        .ifPresentOrElse(checks::add, () -> verdict(box, checks));
  }

  private static void verdict(Box box, List<Check> checks) {
    Facts facts = box.facts();
    String trouble = facts.text("hip.device.trouble");
    if (facts.is("verdict.usable")) {
      checks.add(Check.ok("driver rocm is usable: " + facts.text("verdict.detail")));
    } else if (!trouble.isEmpty()) {
      checks.add(Check.trouble(trouble, facts.text("hip.device.step")));
    } else {
      checks.add(Check.note("driver rocm is not usable, for what stands above"));
    }
  }
}
