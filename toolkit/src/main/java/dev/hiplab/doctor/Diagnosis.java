package dev.hiplab.doctor;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the doctor says of a machine.
 *
 * @param sections in the order in which they are shown
 * @param works what runs here now
 * @param rocmWanted whether it was asked for ROCm
 */
public record Diagnosis(List<Section> sections, Works works, boolean rocmWanted) {
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
    List<Section> rocm =
        List.of(
            LibrariesSection.of(box),
            NodesSection.of(box),
            GpusSection.of(box),
            KernelsSection.of(box));
    List<Section> own =
        List.of(
            VariablesSection.of(box),
            JavaSection.of(box),
            SoftwareSection.of(box),
            TemporarySection.of(box),
            RunSection.of(box, rocm));
    List<Section> all =
        Stream.of(rocm, own, others).flatMap(sections -> sections.stream()).toList();
    return new Diagnosis(all, works(box.facts()), box.rocmWanted());
  }

  private static Works works(Facts facts) {
    if (!facts.is("run.gemm")) {
      return Works.NOTHING;
    }
    return "rocm".equals(facts.text("run.provider")) ? Works.ROCM : Works.SOFTWARE;
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
          case NOTHING -> "does not run, for what stands above";
        };
  }
}
