package dev.hiplab.findings;

import dev.hiplab.Candidate;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether a device has what the workspace findings need: a hipBLASLt heuristic whose first
 * candidate asks for scratch memory. gfx1151 never does: mlxcel 2200 measured all 8 candidates of
 * 15 shapes.
 */
record Scratch(String device, GemmCase gemm, List<Candidate> offered) {
  static final String NEED = "a device whose hipBLASLt heuristic asks for workspace";

  private static final int CANDIDATES = 8;
  private static final long CAP_BYTES = 32L << 20; // every form's cap

  /** Asks the heuristic of device 0, on a stream that is gone again afterwards. */
  static Scratch of(Trial trial, GemmCase gemm) {
    try (Stream stream = trial.backend().device(0).stream()) {
      List<Candidate> offered =
          stream.heuristics(
              gemm.spec(),
              gemm.type(),
              gemm.batch(),
              gemm.m(),
              gemm.n(),
              gemm.k(),
              CANDIDATES,
              CAP_BYTES);
      String device = trial.backend().device(0).info().getOrDefault("arch", "this device");
      return new Scratch(device, gemm, offered);
    }
  }

  /** The finding of a device that lacks it; empty when it has it. */
  Optional<Finding> lacking() {
    return first() > 0
        ? Optional.empty()
        : Optional.of(Finding.notApplicable(reason(), counters(Map.of())));
  }

  /** These counters and what the heuristic offered. */
  Map<String, Long> counters(Map<String, Long> others) {
    Map<String, Long> counters = new TreeMap<>(others);
    counters.put("heuristic.candidates", (long) offered.size());
    counters.put("heuristic.workspace.first", first());
    return counters;
  }

  /** Bytes that the first candidate, the one that is used, asks for. */
  long first() {
    return offered.isEmpty() ? 0 : offered.get(0).workspaceBytes();
  }

  private String reason() {
    StringBuilder seen = new StringBuilder();
    boolean any = false;
    for (Candidate candidate : offered) {
      any |= candidate.workspaceBytes() > 0;
      seen.append(seen.length() == 0 ? "" : ", ").append(candidate.workspaceBytes());
    }
    return (any ? "the first of " : "none of ")
        + offered.size()
        + " candidates for "
        + gemm.text()
        + " asks for "
        + (any ? "no workspace" : "workspace")
        + " on "
        + device
        + " (bytes: "
        + seen
        + ")";
  }
}
