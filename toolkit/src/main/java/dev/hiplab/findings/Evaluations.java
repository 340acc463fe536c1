package dev.hiplab.findings;

import dev.hiplab.Stream;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Outcome;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What threads that evaluate {@link ProbeKernel}s found, added up. Thread-safe. */
final class Evaluations {
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicReference<String> firstWrong = new AtomicReference<>("");
  private final AtomicReference<String> firstError = new AtomicReference<>("");
  private double millis;

  /** Evaluates one and looks at every element. */
  void evaluate(ProbeKernel probe, Stream stream) {
    String found = probe.evaluate(stream);
    done.incrementAndGet();
    if (!found.isEmpty()) {
      wrong.incrementAndGet();
      firstWrong.compareAndSet("", found);
    }
  }

  /** Adds the threads of a round, which have ended; called by one thread. */
  void ended(Actors round) {
    firstError.compareAndSet("", round.firstError());
    millis += round.workMillis();
  }

  /** Whether a thread threw; the rounds that follow would show nothing more. */
  boolean failed() {
    return !firstError.get().isEmpty();
  }

  /**
   * Right when every element was, else what was wrong.
   *
   * @param misplaced outcome and sentence for work whose outputs are right; an empty sentence when
   *     what was counted is right too
   */
  Finding finding(Map<String, Long> counters, Outcome misplaced, String sentence) {
    Map<String, Long> all = new TreeMap<>(counters);
    all.put("evaluations", done.get());
    all.put("evaluations.wrong", wrong.get());
    if (failed()) {
      return new Finding(Outcome.ERROR, firstError.get(), all, millis);
    }
    if (wrong.get() > 0) {
      String detail = wrong + " of " + done + " evaluations wrong; first: " + firstWrong;
      return new Finding(Outcome.WRONG_RESULT, detail, all, millis);
    }
    return new Finding(sentence.isEmpty() ? Outcome.EXACT : misplaced, sentence, all, millis);
  }
}
