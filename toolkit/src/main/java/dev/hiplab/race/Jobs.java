package dev.hiplab.race;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes planned runs, some at a time, in the order of the plan. A run is on the disk before the job
 * that made it takes another.
 */
final class Jobs {
  private final Runner runner;
  private final CampaignFolder folder;
  private final CampaignListener listener;
  private final int planned;
  private final List<RunRecord> records; // guarded by this

  Jobs(Runner runner, CampaignFolder folder, CampaignListener listener, int planned) {
    this.runner = runner;
    this.folder = folder;
    this.listener = listener;
    this.planned = planned;
    this.records = new ArrayList<>(folder.done());
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
  void run(List<PlannedRun> left, int jobs) throws IOException, InterruptedException {
    Iterator<PlannedRun> next = left.iterator();
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

  private void work(
      Iterator<PlannedRun> next, List<Thread> threads, AtomicReference<Throwable> failure) {
    try {
      work(next);
    } catch (Throwable e) {
      // The first one tells; the others are only its interrupts.
      if (failure.compareAndSet(null, e)) {
        threads.forEach(Thread::interrupt);
      }
    }
  }

  private void work(Iterator<PlannedRun> next) throws IOException, InterruptedException {
    for (PlannedRun run = take(next); run != null; run = take(next)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      keep(runner.run(folder.id(), run));
    }
  }

  private synchronized PlannedRun take(Iterator<PlannedRun> next) {
    if (!next.hasNext()) {
      return null;
    }
    PlannedRun run = next.next();
    listener.running(run.scenario().id(), run.form().name(), run.run());
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
