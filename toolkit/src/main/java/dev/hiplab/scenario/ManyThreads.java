package dev.hiplab.scenario;

import dev.hiplab.Device;
import dev.hiplab.Schedule;
import dev.hiplab.Stream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The workload that mlxcel 2198 and 2200 share: threads with a stream each wait on a barrier, then
 * run rounds of the same GEMMs on inputs of their own, and check every output exactly.
 *
 * <p>Each round poisons its output, enqueues the GEMM, waits for the thread's own stream only and
 * reads the output at once, so that a GEMM which ran on another thread's stream is seen. Inputs are
 * uploaded before the barrier and outputs compared after the last round: host work between two
 * GEMMs would only make the race rarer.
 *
 * <p>Where an order is forced, two threads named A and B take the place of the many. They pass
 * {@code work.begin} before their first call, {@code work.enqueued} when a GEMM has been enqueued
 * and is not waited for yet, and {@code work.end} after their last call.
 */
public final class ManyThreads {
  private final Trial trial;
  private final Device device;
  private int rounds;
  private final List<GemmCase> cases;
  private final Actors actors;
  private IntConsumer first = index -> {};
  private int depth = 1;
  private final List<Worker> workers = new ArrayList<>();

  /**
   * The threads of a workload.
   *
   * @param threads and {@code rounds} of each; two and one where an order is forced
   * @param cases the GEMMs of a round
   */
  public ManyThreads(Trial trial, int threads, int rounds, List<GemmCase> cases) {
    this(trial, threads, rounds, cases, Thread::start);
  }

  /** With a way to start threads that may fail, as on a machine that has no more of them. */
  public ManyThreads(
      Trial trial, int threads, int rounds, List<GemmCase> cases, Consumer<Thread> starter) {
    this.trial = trial;
    this.device = trial.backend().device(0);
    this.rounds = trial.forced() ? 1 : rounds;
    this.cases = cases;
    this.actors = new Actors(starter);
    for (String name : trial.names(threads)) {
      Worker worker = new Worker(workers.size());
      workers.add(worker);
      actors.add(name, worker::prepare, worker::work, worker::check);
    }
  }

  /** What each does at its begin, before its first GEMM; it gets the thread's index. */
  public ManyThreads first(IntConsumer call) {
    first = call;
    return this;
  }

  /** Rounds of each thread, also where an order is forced. */
  public ManyThreads rounds(int count) {
    rounds = count;
    return this;
  }

  /** How many GEMMs a thread enqueues before it reads their outputs; 1 unless said. */
  public ManyThreads ahead(int gemms) {
    depth = gemms;
    return this;
  }

  /** Runs the threads to their end and adds up what they found; see {@link Actors#run}. */
  public Tally run() throws InterruptedException {
    actors.run();
    Tally tally = new Tally();
    tally.failed(actors.firstError());
    for (Worker worker : workers) {
      tally.add(worker.tally);
      worker.release();
    }
    return tally;
  }

  /** How many threads there are: two where an order is forced. */
  public int count() {
    return workers.size();
  }

  /** From the barrier to the last GEMM of the slowest thread, milliseconds; call after run. */
  public double workMillis() {
    return actors.workMillis();
  }

  /** Median time of the host in one GEMM call, nanoseconds; call after run. */
  public long medianEnqueueNanos() {
    long[] all =
        workers.stream()
            .flatMapToLong(worker -> Arrays.stream(worker.nanos, 0, worker.timed))
            .sorted()
            .toArray();
    return all.length == 0 ? 0 : all[all.length / 2];
  }

  private final class Worker {
    private final int index;
    private final List<CheckedGemm> gemms = new ArrayList<>();
    private final Tally tally = new Tally();
    private Stream stream;
    private long[] nanos;
    private int timed;
    private int done;

    Worker(int index) {
      this.index = index;
    }

    void prepare() {
      stream = device.stream();
      nanos = new long[rounds * cases.size()];
      for (int step = 0; step < rounds * cases.size(); step++) {
        gemms.add(new CheckedGemm(trial, device, cases.get(step % cases.size()), index, step));
      }
    }

    void work() {
      first.accept(index);
      while (done < gemms.size()) {
        List<CheckedGemm> some = gemms.subList(done, Math.min(done + depth, gemms.size()));
        for (CheckedGemm gemm : some) {
          gemm.poison(stream);
          long before = System.nanoTime();
          gemm.gemm(stream);
          nanos[timed++] = System.nanoTime() - before;
          Schedule.pass("work.enqueued");
        }
        for (CheckedGemm gemm : some) {
          gemm.read(stream);
          done++;
        }
      }
    }

    void check() {
      for (int step = 0; step < done; step++) {
        gemms.get(step).check(tally, index, step / cases.size());
      }
    }

    void release() {
      gemms.forEach(CheckedGemm::close);
      if (stream != null) {
        stream.close();
      }
    }
  }
}
