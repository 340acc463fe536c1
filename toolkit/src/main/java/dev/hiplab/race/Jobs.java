package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes planned runs, some at a time, in the order of the plan. A run is on the disk before the job
 * that made it takes another.
 */
final class Jobs<P extends Planned> {
  private static final int MOST = 64;

  private final RunMaker<P> maker;
  private final CampaignFolder folder;
  private final CampaignListener listener;
  private final int planned;
  private final List<RunRecord> records; // guarded by this

  Jobs(RunMaker<P> maker, CampaignFolder folder, CampaignListener listener, int planned) {
    this.maker = maker;
    this.folder = folder;
    this.listener = listener;
    this.planned = planned;
    this.records = new ArrayList<>(folder.done());
  }

  /**
   * Checks how many jobs a campaign is to have.
   *
   * @throws HiplabException with what is allowed
   */
  static void check(int jobs) {
    if (jobs < 1 || jobs > MOST) {
      throw new HiplabException(
          "jobs is " + jobs + "; a campaign runs 1 to " + MOST + " children at a time");
    }
  }

  /** What is done, oldest first. */
  synchronized List<RunRecord> records() {
    return List.copyOf(records);
  }

  /**
   * Makes the runs.
   *
   * @throws InterruptedException when this thread was interrupted; the children are gone then
   */
  void run(List<P> left, int jobs) throws IOException, InterruptedException {
    Iterator<P> next = left.iterator();
    if (jobs == 1) {
      work(next);
      return;
    }
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int job = 0; job < Math.min(jobs, left.size()); job++) {
      threads.add(new Thread(() -> work(next, threads, failure), "hiplab-job-" + job));
    }
    threads.forEach(Thread::start);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      stop(threads);
      throw e;
    }
    rethrow(failure.get());
  }

  private void work(Iterator<P> next, List<Thread> threads, AtomicReference<Throwable> failure) {
    try {
      work(next);
    } catch (Throwable e) {
      // The first one tells; the others are only its interrupts.
      if (failure.compareAndSet(null, e)) {
        threads.forEach(Thread::interrupt);
      }
    }
  }

  private void work(Iterator<P> next) throws IOException, InterruptedException {
    for (P run = take(next); run != null; run = take(next)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      keep(maker.run(folder.id(), run));
    }
  }

  private synchronized P take(Iterator<P> next) {
    if (!next.hasNext()) {
      return null;
    }
    P run = next.next();
    listener.running(run.scenarioId(), run.formName(), run.way(), run.run());
    return run;
  }

  private synchronized void keep(RunRecord run) throws IOException {
    folder.add(run);
    records.add(run);
    listener.ended(run, records.size(), planned);
  }

  private static void stop(List<Thread> threads) {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      boolean gone = false;
      while (!gone) {
        try {
          thread.join();
          gone = true;
        } catch (InterruptedException again) {
          // They are ending already.
        }
      }
    }
  }

  private static void rethrow(Throwable failure) throws IOException, InterruptedException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof InterruptedException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }
}
