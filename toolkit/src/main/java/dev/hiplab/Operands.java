package dev.hiplab;

import dev.hiplab.bindings.BufferRef;

/** The matrices A, B and C of a GEMM, in use for one native call: all three, or none. */
final class Operands implements AutoCloseable {
  final BufferRef a;
  final BufferRef b;
  final BufferRef c;

  private final Matrix[] matrices;
  private int held;

  /**
   * Takes them into use.
   *
   * @throws HiplabException naming the first that is closed
   */
  Operands(Matrix a, Matrix b, Matrix c) {
    matrices = new Matrix[] {a, b, c};
    try {
      this.a = take();
      this.b = take();
      this.c = take();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private BufferRef take() {
    BufferRef buffer = matrices[held].use();
    held++;
    return buffer;
  }

  @Override
  public void close() {
    while (held > 0) {
      matrices[--held].done();
    }
  }
}
