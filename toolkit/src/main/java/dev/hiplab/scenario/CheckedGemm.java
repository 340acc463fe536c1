package dev.hiplab.scenario;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import dev.hiplab.Tuned;
import java.util.List;

/**
 * One GEMM on matrices of its own: integer inputs, an output that is NaN until something writes it,
 * and the comparison with the host's product. Used by one thread at a time.
 */
public final class CheckedGemm implements AutoCloseable {
  private final GemmCase gemm;
  private final Sums sums;
  private final float[] inA;
  private final float[] inB;
  private final Matrix a;
  private final Matrix b;
  private final Matrix c;
  private float[] out;

  /**
   * Uploads the inputs.
   *
   * @param who and {@code step} make the inputs different for each thread and round
   */
  public CheckedGemm(Trial trial, Device device, GemmCase gemm, int who, int step) {
    this.gemm = gemm;
    this.sums = trial.sums().of(device.index(), gemm.type());
    DType type = gemm.type();
    inA = values(trial, gemm.m() * gemm.k(), who, step, 0);
    inB = values(trial, gemm.k() * gemm.n(), who, step, 1);
    a = device.matrix(type, gemm.batch(), gemm.m(), gemm.k(), inA);
    b = device.matrix(type, gemm.batch(), gemm.rowsB(), gemm.colsB(), inB);
    c = device.empty(type.result(), gemm.batch(), gemm.m(), gemm.n());
  }

  private float[] values(Trial trial, int count, int who, int step, int operand) {
    long seed = Inputs.seed(trial.seed(), who, step, operand);
    return Inputs.integers(gemm.batch() * count, gemm.range(), seed);
  }

  /** Poisons the output and enqueues the GEMM behind that; returns at once. */
  public void enqueue(Stream stream) {
    poison(stream);
    gemm(stream);
  }

  /** Fills the output with NaN, in stream order. */
  public void poison(Stream stream) {
    stream.poison(c);
  }

  /** Enqueues the GEMM alone. */
  public void gemm(Stream stream) {
    stream.gemm(gemm.spec(), a, b, c);
  }

  /**
   * Poisons the output on {@code on}, and has a host callback of {@code after} enqueue the GEMM
   * there.
   */
  public void enqueueInCallback(Stream after, Stream on) {
    on.poison(c);
    after.gemmInCallback(on, gemm.spec(), a, b, c);
  }

  /** Measures the candidates of this GEMM on the stream, once each; the output is not written. */
  public List<Tuned> tune(Stream stream, int candidates) {
    return stream.tune(gemm.spec(), a, b, c, candidates, 1);
  }

  /** Waits for that stream only, and keeps what is in the output then. */
  public void read(Stream stream) {
    stream.synchronize();
    out = c.floats();
  }

  /** Compares what was read with the host's product. */
  public void check(Tally tally, int who, int round) {
    tally.check(who, round, gemm, inA, inB, out, sums);
  }

  /** The output matrix. */
  public Matrix output() {
    return c;
  }

  @Override
  public void close() {
    a.close();
    b.close();
    c.close();
  }
}
