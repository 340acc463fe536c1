package dev.hiplab.race;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The points that a child's threads passed last, as the end of a run's detail. */
final class LastPoints {
  private static final int OF_ONE_THREAD = 3;
  private static final int THREADS = 2;

  private LastPoints() {}

  /** {@code ; thread worker-3 last passed pipe.found, pipe.end}; empty when it passed none. */
  static String of(String thread, Map<String, List<String>> points) {
    List<String> all = points.getOrDefault(thread, List.of());
    if (all.isEmpty()) {
      return "";
    }
    List<String> last = all.subList(Math.max(0, all.size() - OF_ONE_THREAD), all.size());
    return "; thread " + thread + " last passed " + String.join(", ", last);
  }

  /** {@code ; threads last passed pipe.end (worker-0, worker-2 and 3 more), pipe.enter (main)}. */
  static String of(Map<String, List<String>> points) {
    Map<String, List<String>> threads = new LinkedHashMap<>();
    points.forEach(
        (thread, passed) -> {
          String last = passed.get(passed.size() - 1);
          threads.computeIfAbsent(last, none -> new ArrayList<>()).add(thread);
        });
    return threads.isEmpty()
        ? ""
        : threads.entrySet().stream()
            .map(at -> at.getKey() + " (" + names(at.getValue()) + ")")
            .collect(joining(", ", "; threads last passed ", ""));
  }

  /** The detail without that end, which differs from run to run. */
  static String without(String detail) {
    return detail.replaceFirst("; (thread \\S.* |threads )last passed .*", "");
  }

  private static String names(List<String> threads) {
    List<String> sorted = threads.stream().sorted().toList();
    int more = sorted.size() - THREADS;
    String some = String.join(", ", sorted.subList(0, Math.min(THREADS, sorted.size())));
    return more > 0 ? some + " and " + more + " more" : some;
  }
}
