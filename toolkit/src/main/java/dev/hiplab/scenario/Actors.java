package dev.hiplab.scenario;

import dev.hiplab.OutOfDeviceMemoryException;
import dev.hiplab.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;

/**
 * The threads of a workload: each has the name that schedules know it by, prepares, waits on a
 * barrier for the others, and does its part.
 *
 * <p>Each passes {@code work.begin} before its part and {@code work.end} after it, also when the
 * part fails, as another thread's order may be waiting for it. An instance is used once, by one
 * thread.
 */
public final class Actors {
  /** What an actor does. */
  public interface Part {
    void run() throws Exception;
  }

  private final List<Actor> actors = new ArrayList<>();
  private final Consumer<Thread> starter;
  private CyclicBarrier barrier;

  public Actors() {
    this(Thread::start);
  }

  /** With a way to start threads that may fail, as on a machine that has no more of them. */
  public Actors(Consumer<Thread> starter) {
    this.starter = starter;
  }

  /** Adds one that has nothing to prepare. */
  public Actors add(String name, Part work) {
    return add(name, () -> {}, work);
  }

  /**
   * Adds one.
   *
   * @param name {@code A} and {@code B} in forced orders
   * @param prepare runs before the barrier; when it fails, the others still get past that
   * @param work runs after it
   */
  public Actors add(String name, Part prepare, Part work) {
    return add(name, prepare, work, () -> {});
  }

  /** The same, with what is done after its end and counts for nobody's time: checks, say. */
  public Actors add(String name, Part prepare, Part work, Part after) {
    actors.add(new Actor(name, prepare, work, after));
    return this;
  }

  /** How many there are. */
  public int count() {
    return actors.size();
  }

  /**
   * Starts them and waits for their ends.
   *
   * @throws OutOfMemoryError when the machine has no room for the threads or their work: that is no
   *     finding
   * @throws OutOfDeviceMemoryException when the device has none: neither is that
   */
  public void run() throws InterruptedException {
    barrier = new CyclicBarrier(actors.size());
    start();
    for (Actor actor : actors) {
      actor.join();
    }
    for (Actor actor : actors) {
      if (actor.failure instanceof OutOfMemoryError shortage) {
        throw shortage;
      }
      if (actor.failure instanceof OutOfDeviceMemoryException shortage) {
        throw shortage;
      }
    }
  }

  private void start() throws InterruptedException {
    int started = 0;
    try {
      while (started < actors.size()) {
        starter.accept(actors.get(started));
        started++;
      }
    } catch (OutOfMemoryError noRoom) {
      // Those that run wait at the barrier for one that will not come.
      for (Actor actor : actors.subList(0, started)) {
        actor.interrupt();
      }
      for (Actor actor : actors.subList(0, started)) {
        actor.join();
      }
      throw new OutOfMemoryError(
          "the machine could not start thread "
              + started
              + " of "
              + actors.size()
              + " ("
              + noRoom.getMessage()
              + ")");
    }
  }

  /** What went wrong first, in the order in which they were added; empty when nothing did. */
  public String firstError() {
    for (Actor actor : actors) {
      if (actor.failure != null) {
        return "thread " + actor.getName() + ": " + Sentences.of(actor.failure);
      }
    }
    return "";
  }

  /** From the barrier to the end of the slowest part, milliseconds; NaN when none was done. */
  public double workMillis() {
    long begin = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Actor actor : actors) {
      if (actor.ran) {
        begin = Math.min(begin, actor.begin);
        end = Math.max(end, actor.end);
      }
    }
    return end < begin ? Double.NaN : (end - begin) / 1e6;
  }

  private final class Actor extends Thread {
    private final Part prepare;
    private final Part work;
    private final Part after;
    // Read by the thread that joined this one.
    private Throwable failure;
    private boolean ran;
    private long begin;
    private long end;

    Actor(String name, Part prepare, Part work, Part after) {
      super(name);
      this.prepare = prepare;
      this.work = work;
      this.after = after;
    }

    @Override
    public void run() {
      Schedule.nameThread(getName());
      boolean ready = attempt(prepare);
      try {
        // Also one that could not prepare: the others wait for it here.
        barrier.await();
      } catch (InterruptedException | BrokenBarrierException e) {
        failure = failure == null ? e : failure;
        return;
      }
      Schedule.pass("work.begin");
      begin = System.nanoTime();
      ran = ready && attempt(work);
      end = System.nanoTime();
      Schedule.pass("work.end");
      attempt(after);
    }

    private boolean attempt(Part part) {
      try {
        part.run();
        return true;
      } catch (Throwable e) {
        failure = failure == null ? e : failure;
        return false;
      }
    }
  }
}
