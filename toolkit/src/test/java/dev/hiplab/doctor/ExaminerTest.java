package dev.hiplab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.ChildProbe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Processes that die of a part: the part is named, and the others are looked at all the same. */
class ExaminerTest {
  private final List<List<String>> asked = new ArrayList<>();

  /** Does what it is asked for until it comes to a part that ends it. */
  private ChildProbe.End look(List<String> parts, String deadly) {
    asked.add(List.copyOf(parts));
    List<String> lines = new ArrayList<>();
    for (String part : parts) {
      lines.add(Examination.BEGIN + part);
      if (part.equals(deadly)) {
        return new ChildProbe.End(lines, "SIGSEGV in x", false);
      }
      lines.add("noise of a library");
      lines.add(Examination.FACT + part + ".seen=a=b");
      lines.add(Examination.DONE + part);
    }
    return new ChildProbe.End(lines, "", false);
  }

  @Test
  void oneProcessIsEnoughWhereNothingDies() throws Exception {
    Facts facts = Examiner.look((parts, hung) -> look(parts, ""));
    assertThat(asked).containsExactly(Examination.PARTS);
    assertThat(facts.values()).hasSize(Examination.PARTS.size()).containsEntry("run.seen", "a=b");
  }

  @Test
  void whatDiesIsNamedAndTheRestIsLookedAt() throws Exception {
    Facts facts = Examiner.look((parts, hung) -> look(parts, "hiprtc"));
    assertThat(facts.values())
        .containsEntry("hiprtc.crash", "SIGSEGV in x")
        .containsEntry("hip.seen", "a=b")
        .containsEntry("run.seen", "a=b");
    assertThat(asked.get(1)).startsWith("natives", "rocblas").doesNotContain("hiprtc", "hip");
  }

  @Test
  void withoutNativesNothingElseIsTried() throws Exception {
    Facts facts = Examiner.look((parts, hung) -> look(parts, "natives"));
    assertThat(facts.values()).containsOnlyKeys("natives.crash");
    assertThat(asked).hasSize(1);
    facts =
        Examiner.look(
            (parts, hung) -> new ChildProbe.End(List.of(), "no process could be started", false));
    assertThat(facts.values()).containsEntry("natives.crash", "no process could be started");
  }

  @Test
  void whatHangsShortensThePatienceWithTheRest() throws Exception {
    List<Boolean> hungBefore = new ArrayList<>();
    Facts facts =
        Examiner.look(
            (parts, hung) -> {
              hungBefore.add(hung);
              ChildProbe.End end = look(parts, hungBefore.size() == 1 ? "hip" : "rocblas");
              return new ChildProbe.End(end.lines(), end.trouble(), hungBefore.size() == 1);
            });
    assertThat(hungBefore).containsExactly(false, true, true);
    assertThat(facts.values()).containsKeys("hip.crash", "rocblas.crash", "run.seen");
  }
}
