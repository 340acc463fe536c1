package dev.hiplab.findings;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The scenarios that come with hiplab. */
public final class Scenarios {
  private static final List<Scenario> ALL =
      List.of(
          new RocblasFirstGemm(),
          new RocblasStreamRebind(),
          new RocblasCreateFailure(),
          new RocblasUnsupportedArch(),
          new RocblasLeaseUnwind(),
          new ProbeFlagBeforeWork(),
          new BlasLtInitWindow(),
          new BlasLtCreateDevice(),
          new BlasLtGemmsFromManyThreads(),
          new BlasLtSharedWorkspace(),
          new BlasLtInitWorkspaceInterleaving(),
          new BlasLtWorkspaceGrowth(),
          new BlasLtPipeErase(),
          new BlasLtPipeShared(),
          new BlasLtCaptureNoWorkspace(),
          new BlasLtAllocFailure(),
          new BlasLtStreamHandleReuse(),
          new BlasLtCallbackThread(),
          new BlasLtGraphsShareWorkspace(),
          new DeviceMapStreams(),
          new DeviceMapSecondGpu(),
          new ClearEncoders(),
          new DeviceMapBadIndex(),
          new JitSameKernel(),
          new JitDistinctWhileHitting(),
          new JitCompileFailure(),
          new EventPool(),
          new EventTeardown(),
          new ReclaimCapture(),
          new ReclaimStickyError(),
          new ReclaimReplayOnly(),
          new ReclaimLateTicket(),
          new ReclaimBacklogCap(),
          new ReclaimDeallocOutsideLock(),
          new ReclaimBlockedCallback(),
          new FaultSticky(),
          new NumericsResidue(),
          new SurveyWorkspace());

  private Scenarios() {}

  /** In the order of their issues. */
  public static List<Scenario> all() {
    return ALL;
  }

  /**
   * Scenarios by what a person names them.
   *
   * @param name an id, the number of an issue ({@code 2200}), {@code all}, or the name of a class
   *     that implements {@link Scenario}
   * @throws HiplabException when there is none; the message lists what there is
   */
  public static List<Scenario> named(String name) {
    if (name.equalsIgnoreCase("all")) {
      return ALL;
    }
    List<Scenario> found = new ArrayList<>();
    for (Scenario scenario : ALL) {
      if (scenario.id().equals(name) || issues(scenario).contains(name)) {
        found.add(scenario);
      }
    }
    if (found.isEmpty()) {
      found.add(ofClass(name));
    }
    return found;
  }

  private static Scenario ofClass(String name) {
    try {
      Class<?> type = Class.forName(name);
      if (Scenario.class.isAssignableFrom(type)) {
        return (Scenario) type.getDeclaredConstructor().newInstance();
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      // Told below: most often it is no class but a mistyped id.
    }
    List<String> ids = new ArrayList<>();
    Set<String> issues = new LinkedHashSet<>();
    for (Scenario scenario : ALL) {
      ids.add(scenario.id());
      issues.addAll(issues(scenario));
    }
    throw new HiplabException(
        "there is no scenario '"
            + name
            + "'; there are "
            + String.join(", ", ids)
            + ", the issues "
            + String.join(", ", issues)
            + ", and all");
  }

  /** The numbers in the source: {@code mlxcel 2200, 2208} has two. */
  private static List<String> issues(Scenario scenario) {
    return Arrays.stream(scenario.source().split("[ ,]+"))
        .filter(word -> word.matches("[0-9]+"))
        .toList();
  }
}
