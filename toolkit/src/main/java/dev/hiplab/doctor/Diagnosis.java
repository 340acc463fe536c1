package dev.hiplab.doctor;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the doctor says of a machine.
 *
 * @param sections in the order in which they are shown
 * @param works what runs here now
 * @param rocmWanted whether it was asked for ROCm
 * @param why why nothing runs; empty when something does
 */
public record Diagnosis(List<Section> sections, Works works, boolean rocmWanted, String why) {
  /** What a command without options would run on. */
  public enum Works {
    ROCM,
    SOFTWARE,
    NOTHING
  }

  public Diagnosis {
    sections = List.copyOf(sections);
  }

  /** {@code others}: sections about what lies above this package. */
  public static Diagnosis of(Box box, List<Section> others) {
    List<Section> own =
        List.of(
            LibrariesSection.of(box),
            NodesSection.of(box),
            GpusSection.of(box),
            KernelsSection.of(box),
            VariablesSection.of(box),
            JavaSection.of(box),
            SoftwareSection.of(box),
            TemporarySection.of(box),
            RunSection.of(box));
    List<Section> all = Stream.concat(own.stream(), others.stream()).toList();
    return new Diagnosis(all, works(box.facts()), box.rocmWanted(), why(box.facts()));
  }

  private static Works works(Facts facts) {
    if (!facts.is("run.gemm")) {
      return Works.NOTHING;
    }
    return "rocm".equals(facts.text("run.provider")) ? Works.ROCM : Works.SOFTWARE;
  }

  private static String why(Facts facts) {
    if (facts.is("run.gemm")) {
      return "";
    }
    for (String part : List.of("natives", "run")) {
      String crash = facts.text(part + ".crash");
      String error = facts.text(part + ".error");
      if (!crash.isEmpty() || !error.isEmpty()) {
        return crash.isEmpty() ? error : "a first GEMM ended its process: " + crash;
      }
    }
    return "no process could look";
  }

  /** Number of troubles. */
  public long troubles() {
    return sections.stream()
        .flatMap(section -> section.checks().stream())
        .filter(check -> check.level() == Level.TROUBLE)
        .count();
  }

  /** Whether hiplab works here, on ROCm if that was asked for. */
  public boolean healthy() {
    return rocmWanted ? works == Works.ROCM : works != Works.NOTHING;
  }

  /** The last line. */
  public String conclusion() {
    long count = troubles();
    String number = count == 0 ? "no trouble" : count == 1 ? "1 trouble" : count + " troubles";
    return number
        + "; hiplab "
        + switch (works) {
          case ROCM -> "runs on ROCm";
          case SOFTWARE -> "runs on the software device" + (rocmWanted ? ", and not on ROCm" : "");
          case NOTHING -> "does not run: " + why;
        };
  }
}
