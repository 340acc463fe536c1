package dev.hiplab.doctor;

import java.util.ArrayList;
import java.util.List;

/** Device nodes: who owns them, and whether this user may use them. */
final class NodesSection {
  private NodesSection() {}

  static Section of(Box box) {
    Facts facts = box.facts();
    List<Check> checks = new ArrayList<>();
    facts.failure("machine", "looking at the device nodes").ifPresent(checks::add);
    if (checks.isEmpty()) {
      if (facts.is("dxg.there") && !facts.is("kfd.there")) {
        checks.add(Check.note("/dev/dxg in place of /dev/kfd, as under WSL"));
      } else {
        checks.add(node(box, "kfd"));
        render(box, checks);
      }
    }
    return new Section("Device nodes, for user " + facts.text("user"), checks);
  }

  private static Check node(Box box, String key) {
    Facts facts = box.facts();
    String trouble = facts.text(key + ".trouble");
    if (!trouble.isEmpty()) {
      return Check.troubleIf(box.rocmCounts(), trouble, facts.text(key + ".step"));
    }
    return Check.ok(
        facts.text(key + ".path")
            + " opens (owner "
            + facts.text(key + ".owner")
            + ", group "
            + facts.text(key + ".group")
            + ", mode "
            + facts.text(key + ".mode")
            + ", this user is "
            + (facts.is(key + ".member") ? "" : "not ")
            + "in the group)");
  }

  private static void render(Box box, List<Check> checks) {
    Facts facts = box.facts();
    int nodes = facts.listed("render", "path").size();
    for (int n = 0; n < nodes; n++) {
      checks.add(node(box, "render." + n));
    }
    String none = "no render node renderD* in " + facts.text("render.folder");
    if (nodes == 0) {
      checks.add(
          facts.is("kfd.there")
              ? Check.trouble(none, "start the container with --device=/dev/dri")
              : Check.note(none));
    }
  }
}
