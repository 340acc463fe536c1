package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DetailTest {
  private final List<RunRecord> runs = new ArrayList<>();

  private void ran(Outcome outcome, String detail) {
    runs.add(
        new RunRecord(
            "c1",
            "test.Behaves",
            "FILED",
            "natural",
            runs.size(),
            1,
            outcome,
            Grade.EXPECTED,
            detail,
            1,
            1,
            0,
            "",
            "",
            Map.of(),
            Map.of(),
            Map.of(),
            "natural",
            List.of(),
            "",
            ""));
  }

  private List<String> lines() {
    String text = new CampaignResult(runs, Path.of("x"), runs.size()).toString();
    List<String> lines = text.lines().toList();
    return lines.subList(1, lines.size() - 1);
  }

  @Test
  void eachCrashIsSaidOnceWithItsCount() {
    ran(Outcome.CRASH, "SIGSEGV in a.so+0x12 f; thread worker-1 last passed x, y");
    ran(Outcome.EXACT, "");
    ran(Outcome.CRASH, "SIGABRT: double free");
    ran(Outcome.CRASH, "SIGSEGV in a.so+0x12 f; thread worker-2 last passed x");
    assertThat(lines())
        .containsExactly(
            "  2 CRASH, first: SIGSEGV in a.so+0x12 f; thread worker-1 last passed x, y",
            "  1 CRASH: SIGABRT: double free");
  }

  @Test
  void detailsThatDifferInNumbersAreOne() {
    ran(Outcome.MISROUTED, "527 of 528 GEMMs took hipBLASLt");
    ran(Outcome.MISROUTED, "\"caps\" stood on stderr 2 times, should be 1");
    ran(Outcome.MISROUTED, "430 of 528 GEMMs took hipBLASLt");
    ran(Outcome.WRONG_RESULT, "1 of 792 GEMMs wrong; first thread 0, bf16 64x64x64");
    ran(Outcome.WRONG_RESULT, "3 of 792 GEMMs wrong; first thread 4, f32 64x64x64");
    assertThat(lines())
        .containsExactly(
            "  2 MISROUTED, first: 527 of 528 GEMMs took hipBLASLt",
            "  1 MISROUTED: \"caps\" stood on stderr 2 times, should be 1",
            "  2 WRONG_RESULT, first: 1 of 792 GEMMs wrong; first thread 0, bf16 64x64x64");
  }

  @Test
  void aLongListEndsWithHowManyMore() {
    for (int i = 0; i < 11; i++) {
      ran(Outcome.CRASH, "SIGSEGV in [a.so+0x" + i + "]");
    }
    assertThat(lines()).hasSize(9).endsWith("  and 3 others: see runs.jsonl");
  }
}
