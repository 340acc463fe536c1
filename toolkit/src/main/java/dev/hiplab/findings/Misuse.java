package dev.hiplab.findings;

import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the watch over hipblasLtMatmul's arguments saw that outputs need not show. */
final class Misuse {
  private static final Map<String, String> TEXTS = new LinkedHashMap<>();

  static {
    TEXTS.put("workspace.freed", "calls were given workspace that had been freed");
    TEXTS.put("workspace.past-the-end", "calls were given more workspace than the block has");
    TEXTS.put("workspace.two-streams", "calls shared their workspace with another stream's work");
    TEXTS.put("descriptor.destroyed", "calls were made with a destroyed or null descriptor");
    TEXTS.put("descriptor.destroyed-during", "calls had their descriptor destroyed under them");
    TEXTS.put("descriptor.two-threads", "calls shared their descriptor with another thread's call");
  }

  private Misuse() {}

  /** MISUSE in place of a right outcome, when something was seen; else the same finding. */
  static Finding read(Finding finding) {
    List<String> seen = new ArrayList<>();
    TEXTS.forEach(
        (counter, text) -> {
          long count = finding.counters().getOrDefault(counter, 0L);
          if (count > 0) {
            seen.add(count + " " + text);
          }
        });
    return finding.outcome().isRight() && !seen.isEmpty()
        ? finding.as(Outcome.MISUSE, String.join("; ", seen))
        : finding;
  }
}
