package dev.hiplab.doctor;

import java.util.ArrayList;
import java.util.List;

/** The Java that runs this. */
final class JavaSection {
  private static final int NEEDED = 17;

  private JavaSection() {}

  static Section of(Box box) {
    List<Check> checks = new ArrayList<>();
    String version = box.property("java.version");
    String java =
        "Java "
            + version
            + " of "
            + box.property("java.vendor")
            + " in "
            + box.property("java.home");
    checks.add(
        major(box.property("java.specification.version")) >= NEEDED
            ? Check.ok(java)
            : Check.trouble(java + " is too old", "install a JDK, " + NEEDED + " or newer"));
    String system = box.property("os.name") + " " + box.property("os.arch");
    checks.add(
        system.equals("Linux amd64") || system.equals("Linux x86_64")
            ? Check.ok(system)
            : Check.trouble(
                system + ", for which hiplab has no native libraries",
                "use a 64-bit Java on an x86 Linux machine"));
    if (box.property("hiplab.doctor.modules").isEmpty()) {
      return new Section("Java", checks);
    }
    List<String> modules = List.of(box.property("hiplab.doctor.modules").split(","));
    checks.add(
        modules.contains("jdk.compiler") && modules.contains("jdk.jshell")
            ? Check.ok("it has a compiler and jshell")
            : Check.note(
                "it has no compiler or no jshell: scenarios from source and notebooks need a JDK"));
    return new Section("Java", checks);
  }

  private static int major(String version) {
    return version.matches("\\d{1,4}") ? Integer.parseInt(version) : 0;
  }
}
