package dev.hiplab.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each scenario would notice if the fixed form of its part were swapped for the filed one: what
 * holds of FIXED in a row does not hold of FILED in the same row.
 */
class SwapTest {
  private static final Set<Outcome> RIGHT =
      EnumSet.of(Outcome.EXACT, Outcome.WITHIN_BOUND, Outcome.EXCLUDED);

  @TempDir Path folder;

  private RunRecord run(String scenario, String form, String way, String profile, int devices) {
    List<RunRecord> runs =
        Campaign.of(scenario)
            .forms(form)
            .ways(way)
            .runs(1)
            .driver("host")
            .profile(profile)
            .hostDevices(devices)
            .out(folder.resolve(form))
            .run()
            .records()
            .stream()
            .filter(run -> run.way().equals(way)) // "natural" asks for "natural:tune" as well
            .toList();
    assertThat(runs).hasSize(1);
    assumeThat(runs.get(0).detail()).doesNotContain("no C++ compiler");
    return runs.get(0);
  }

  private static String told(RunRecord run) {
    return run.form() + ": " + run.outcome() + ", " + run.detail();
  }

  /** Every form that is said to be right is, and every other one is not. */
  @ParameterizedTest
  @CsvSource({
    "rocblas.first-gemm, forced:null-handle, splitk, 1",
    "rocblas.stream-rebind, forced, splitk, 1",
    "rocblas.create-failure, natural, splitk, 1",
    "rocblas.unsupported-arch, natural, splitk, 1",
    "rocblas.lease-unwind, forced, splitk, 1",
    "probe.flag-before-work, forced, splitk, 1",
    "blaslt.init-window, forced:route, splitk, 1",
    "blaslt.init-window, forced:capabilities, splitk, 1",
    "blaslt.create-device, natural, splitk, 2",
    "blaslt.shared-workspace, forced, splitk, 1",
    "blaslt.init-workspace-interleaving, forced:past-the-end, splitk, 1",
    "blaslt.init-workspace-interleaving, forced:leak, splitk, 1",
    "blaslt.workspace-growth, forced, splitk, 1",
    "blaslt.pipe-erase, forced, splitk, 1",
    "blaslt.pipe-shared, forced, splitk, 1",
    "blaslt.capture-no-workspace, natural, splitk, 1",
    "blaslt.alloc-failure, natural, splitk, 1",
    "blaslt.stream-handle-reuse, natural, splitk, 1",
    "blaslt.callback-thread, natural, splitk, 1",
    "blaslt.graphs-share-workspace, natural, splitk, 1",
    "device-map.second-gpu, forced:both-first, splitk, 2",
    "device-map.clear-encoders, forced, splitk, 1",
    "device-map.bad-index, natural, gfx1151, 2",
    "jit.same-kernel, forced, splitk, 1",
    "jit.distinct-while-hitting, forced, splitk, 1",
    "jit.compile-failure, natural, splitk, 1",
    "event.pool, forced, splitk, 1",
    "event.teardown, natural, splitk, 1",
    "reclaim.capture, natural, splitk, 1",
    "reclaim.sticky-error, natural, splitk, 1",
    "reclaim.replay-only, natural, splitk, 1",
    "reclaim.late-ticket, forced, splitk, 1",
    "reclaim.backlog-cap, forced, splitk, 1",
    "reclaim.dealloc-outside-lock, forced, splitk, 1",
    "reclaim.blocked-callback, natural, splitk, 1",
    "fault.sticky, natural, splitk, 1",
  })
  void fixedHoldsAndFiledDoesNot(String id, String way, String profile, int devices) {
    Scenario scenario = Scenarios.named(id).get(0);
    for (Form form : scenario.forms()) {
      if (!scenario.runs(form, scenario.interleaving(way))) {
        continue;
      }
      RunRecord run = run(id, form.name(), way, profile, devices);
      boolean right = form.expected().contains(Outcome.EXACT);
      assertThat(RIGHT.contains(run.outcome())).as(told(run)).isEqualTo(right);
    }
  }

  /** Where FILED goes well too, FIXED is told from it by what excludes the order, or by a count. */
  @ParameterizedTest
  @CsvSource({
    "device-map.second-gpu, FILED, forced:lookup, 2, EXACT",
    "device-map.second-gpu, FIXED, forced:lookup, 2, EXCLUDED",
    "device-map.streams-while-evaluating, EAGER, natural, 2, MISROUTED",
    "device-map.streams-while-evaluating, FIXED, natural, 2, EXACT",
  })
  void formsAreToldApart(String id, String form, String way, int devices, Outcome outcome) {
    RunRecord run = run(id, form, way, "splitk", devices);
    assertThat(run.outcome()).as(told(run)).isEqualTo(outcome);
  }

  @Test
  void streamsWhileEvaluatingIsRightAsFixedAndNotAsFiled() {
    String id = "device-map.streams-while-evaluating";
    RunRecord fixed = run(id, Form.FIXED, "forced", "splitk", 1);
    assertThat(RIGHT.contains(fixed.outcome())).as(told(fixed)).isTrue();
    RunRecord filed = run(id, Form.FILED, "forced", "splitk", 1);
    assertThat(RIGHT.contains(filed.outcome())).as(told(filed)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "device-map.second-gpu, splitk, 1 device",
    "blaslt.create-device, splitk, two",
    "blaslt.shared-workspace, gfx1151, none of 8 candidates for bf16 64x64x64",
    "blaslt.callback-thread, gfx1151, none of 8 candidates for bf16 64x64x64",
  })
  void whatTheDeviceLacksIsNoPass(String id, String profile, String reason) {
    for (Form form : Scenarios.named(id).get(0).forms()) {
      RunRecord run = run(id, form.name(), "natural", profile, 1);
      assertThat(run.outcome()).as(told(run)).isEqualTo(Outcome.NOT_APPLICABLE);
      assertThat(run.detail()).contains(reason);
    }
  }

  /** The tests above name every scenario whose claim is about forms. */
  @Test
  void noScenarioIsLeftOut() throws Exception {
    Set<String> named = new TreeSet<>();
    for (var method : SwapTest.class.getDeclaredMethods()) {
      CsvSource rows = method.getAnnotation(CsvSource.class);
      if (rows != null) {
        for (String row : rows.value()) {
          named.add(row.substring(0, row.indexOf(',')));
        }
      }
    }
    // Properties of the device, and the acceptance workload, whose parts have scenarios of their
    // own.
    named.addAll(List.of("blaslt.gemms-from-many-threads", "numerics.residue", "survey.workspace"));
    assertThat(Scenarios.all()).extracting(Scenario::id).allMatch(named::contains);
  }
}
