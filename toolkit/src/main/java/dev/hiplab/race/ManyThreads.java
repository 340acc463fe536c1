package dev.hiplab.race;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Matrix;
import dev.hiplab.OutOfDeviceMemoryException;
import dev.hiplab.Stream;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;

/**
 * The workload that mlxcel 2198 and 2200 share: threads with a stream each wait on a barrier, then
 * run rounds of the same GEMMs on inputs of their own, and check every output exactly.
 *
 * <p>Each round poisons its output, enqueues the GEMM, waits for the thread's own stream only and
 * reads the output at once, so that a GEMM which ran on another thread's stream is seen. Inputs are
 * uploaded before the barrier and outputs compared after the last round: host work between two
 * GEMMs would only make the race rarer.
 */
final class ManyThreads {
  private final Trial trial;
  private final Device device;
  private final int rounds;
  private final List<GemmCase> cases;
  private final CyclicBarrier barrier;
  private final Worker[] workers;
  private final Consumer<Thread> starter;

  ManyThreads(Trial trial, int threads, int rounds, List<GemmCase> cases) {
    this(trial, threads, rounds, cases, Thread::start);
  }

  /** With a way to start threads that may fail, as on a machine that has no more of them. */
  ManyThreads(
      Trial trial, int threads, int rounds, List<GemmCase> cases, Consumer<Thread> starter) {
    this.trial = trial;
    this.device = trial.backend().device(0);
    this.rounds = rounds;
    this.cases = cases;
    this.workers = new Worker[threads];
    this.barrier = new CyclicBarrier(threads);
    this.starter = starter;
  }

  /**
   * Runs the threads to their end and adds up what they found.
   *
   * @throws OutOfMemoryError when the machine has no room for the threads or their inputs: that is
   *     no finding
   * @throws OutOfDeviceMemoryException when the device has none: neither is that
   */
  Tally run() throws InterruptedException {
    for (int t = 0; t < workers.length; t++) {
      workers[t] = new Worker(t);
    }
    start();
    Tally tally = new Tally();
    for (Worker worker : workers) {
      worker.join();
      tally.add(worker.tally);
    }
    for (Worker worker : workers) {
      if (worker.noMemory != null) {
        throw worker.noMemory;
      }
      if (worker.noDeviceMemory != null) {
        throw worker.noDeviceMemory;
      }
    }
    return tally;
  }

  private void start() throws InterruptedException {
    int started = 0;
    try {
      while (started < workers.length) {
        starter.accept(workers[started]);
        started++;
      }
    } catch (OutOfMemoryError noRoom) {
      // Those that run wait at the barrier for one that will not come.
      for (int t = 0; t < started; t++) {
        workers[t].interrupt();
      }
      for (int t = 0; t < started; t++) {
        workers[t].join();
      }
      throw new OutOfMemoryError(
          "the machine could not start thread "
              + started
              + " of "
              + workers.length
              + " ("
              + noRoom.getMessage()
              + ")");
    }
  }

  /** From the barrier to the last GEMM of the slowest thread, milliseconds; call after run. */
  double workMillis() {
    long begin = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Worker worker : workers) {
      if (!worker.ran) {
        continue;
      }
      begin = Math.min(begin, worker.begin);
      end = Math.max(end, worker.end);
    }
    return end < begin ? Double.NaN : (end - begin) / 1e6;
  }

  private final class Worker extends Thread {
    private final int index;
    private final Tally tally = new Tally();
    private final float[][] a = new float[rounds * cases.size()][];
    private final float[][] b = new float[rounds * cases.size()][];
    private final float[][] out = new float[rounds * cases.size()][];
    private final Matrix[] deviceA = new Matrix[rounds * cases.size()];
    private final Matrix[] deviceB = new Matrix[rounds * cases.size()];
    private final Matrix[] deviceC = new Matrix[rounds * cases.size()];
    private Stream stream;
    private OutOfMemoryError noMemory;
    private OutOfDeviceMemoryException noDeviceMemory;
    // Read by the thread that joined this one.
    private boolean ran;
    private long begin;
    private long end;

    Worker(int index) {
      super("worker-" + index);
      this.index = index;
    }

    @Override
    public void run() {
      boolean ready = prepare();
      try {
        barrier.await();
        if (ready) {
          begin = System.nanoTime();
          work();
          end = System.nanoTime();
          ran = true;
          check();
        }
      } catch (Throwable failure) {
        fail(failure);
      }
      release();
    }

    private boolean prepare() {
      try {
        stream = device.stream();
        for (int i = 0; i < a.length; i++) {
          GemmCase gemm = cases.get(i % cases.size());
          a[i] = values(gemm, gemm.m() * gemm.k(), i, 0);
          b[i] = values(gemm, gemm.k() * gemm.n(), i, 1);
          DType type = gemm.type();
          deviceA[i] = device.matrix(type, gemm.batch(), gemm.m(), gemm.k(), a[i]);
          deviceB[i] = device.matrix(type, gemm.batch(), gemm.rowsB(), gemm.colsB(), b[i]);
          deviceC[i] = device.empty(type, gemm.batch(), gemm.m(), gemm.n());
        }
        return true;
      } catch (Throwable failure) {
        // The others wait at the barrier: this thread must still come to it.
        fail(failure);
        return false;
      }
    }

    private float[] values(GemmCase gemm, int count, int step, int operand) {
      long seed = Inputs.seed(trial.seed(), index, step, operand);
      return Inputs.integers(gemm.batch() * count, gemm.range(), seed);
    }

    private void work() {
      for (int i = 0; i < a.length; i++) {
        GemmCase gemm = cases.get(i % cases.size());
        stream.poison(deviceC[i]);
        stream.gemm(gemm.spec(), deviceA[i], deviceB[i], deviceC[i]);
        stream.synchronize();
        out[i] = deviceC[i].floats();
      }
    }

    private void check() {
      for (int i = 0; i < a.length; i++) {
        GemmCase gemm = cases.get(i % cases.size());
        // f32 sums of small integers are exact on every device.
        boolean ieee = gemm.type() == DType.F32 || trial.addsIeee();
        tally.check(index, i / cases.size(), gemm, a[i], b[i], out[i], ieee);
      }
    }

    private void release() {
      try {
        close(deviceA);
        close(deviceB);
        close(deviceC);
        if (stream != null) {
          stream.close();
        }
      } catch (RuntimeException failure) {
        fail(failure);
      }
    }

    private void close(Matrix[] matrices) {
      for (Matrix matrix : matrices) {
        if (matrix != null) {
          matrix.close();
        }
      }
    }

    private void fail(Throwable failure) {
      if (failure instanceof OutOfMemoryError error) {
        noMemory = error;
      }
      if (failure instanceof OutOfDeviceMemoryException error) {
        noDeviceMemory = error;
      }
      if (tally.firstError.isEmpty()) {
        tally.firstError = "thread " + index + ": " + Sentences.of(failure);
      }
    }
  }
}
