package dev.hiplab.measure;

import dev.hiplab.HiplabException;
import dev.hiplab.Stream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rounds of a timing: each arm once a round, each round begun by another. */
final class Rounds implements AutoCloseable {
  private static final long TOLD_NANOS = 200_000_000L;

  /** A repetition that is enqueued and whose time is not read yet. */
  private record Pending(String arm, int repetition, boolean warmUp) {}

  /**
   * An arm's work.
   *
   * @param enqueuesOnly whether it is known to wait for nothing, so that it may run behind a gate
   */
  record ArmWork(Work work, boolean enqueuesOnly) {}

  private final Stream stream;
  private final Map<String, ArmWork> arms;
  private final List<String> names;
  private final MeasureListener listener;
  private final RepetitionTimer timer;
  private final Set<String> ran = new HashSet<>();
  private final List<Pending> pending = new ArrayList<>();
  private final List<Timing.Sample> samples = new ArrayList<>();
  private long toldNanos = System.nanoTime();

  Rounds(Stream stream, Map<String, ArmWork> arms, MeasureListener listener) {
    this.stream = stream;
    this.arms = arms;
    this.names = List.copyOf(arms.keySet());
    this.listener = listener;
    this.timer = new RepetitionTimer(stream);
  }

  /** Whether all were done; false after an interrupt. */
  boolean run(int warmUp, int rounds, Duration budget) {
    boolean going = true;
    for (int round = 0; round < warmUp && going; round++) {
      going = round(round, true);
    }
    collect();
    long begin = System.nanoTime();
    int done = 0;
    while (going && done < rounds && !(done >= TimingBuilder.FEWEST && over(begin, budget))) {
      going = round(done, false);
      done += going ? 1 : 0;
      tell(done, budget == null ? rounds : 0);
    }
    collect();
    return going;
  }

  private static boolean over(long begin, Duration budget) {
    return budget != null && System.nanoTime() - begin >= budget.toNanos();
  }

  private void tell(int done, int total) {
    if (done == total || System.nanoTime() - toldNanos >= TOLD_NANOS) {
      toldNanos = System.nanoTime();
      listener.ended("", done, total);
    }
  }

  private boolean round(int round, boolean warmUp) {
    for (int i = 0; i < names.size(); i++) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      String arm = names.get((round + i) % names.size());
      Pending next = new Pending(arm, round, warmUp);
      try {
        // The first GEMM of a shape may allocate or load code, which may wait for the device.
        boolean first = ran.add(arm);
        timer.enqueue(arms.get(arm).work, arms.get(arm).enqueuesOnly && !first);
      } catch (Exception | Error e) { // an assertion of the caller's is one
        Captured.end(stream);
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        throw failed(next, e);
      }
      pending.add(next);
      if (timer.full()) {
        collect();
      }
    }
    return true;
  }

  private void collect() {
    List<RepetitionTimer.Repetition> times;
    try {
      times = timer.collect();
    } catch (HiplabException e) {
      throw failed(pending.get(0), e);
    }
    for (int i = 0; i < times.size(); i++) {
      Pending done = pending.get(i);
      samples.add(
          new Timing.Sample(
              samples.size(),
              done.arm,
              done.repetition,
              done.warmUp,
              times.get(i).deviceMs(),
              times.get(i).enqueueUs(),
              times.get(i).gated()));
    }
    pending.clear();
  }

  private static HiplabException failed(Pending repetition, Throwable e) {
    String what = e instanceof HiplabException ? e.getMessage() : e.toString();
    return new HiplabException(
        "arm '"
            + repetition.arm
            + "', "
            + (repetition.warmUp ? "warm-up " : "repetition ")
            + repetition.repetition
            + ": "
            + what,
        e);
  }

  /** In the order in which they ran. */
  List<Timing.Sample> samples() {
    return List.copyOf(samples);
  }

  @Override
  public void close() {
    timer.close();
  }
}
