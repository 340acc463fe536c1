package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.BufferRef;
import dev.hiplab.bindings.Native;
import java.lang.ref.Cleaner;
import java.util.function.Consumer;

/**
 * A dense row-major matrix in device memory, or a batch of such. Reading it ({@link #floats}) waits
 * for the stream that wrote it last, and for nothing else. Calls are thread-safe; two streams that
 * write and read one matrix are ordered by events only.
 */
public final class Matrix implements AutoCloseable {
  private final Device device;
  private final int id;
  private final DType dtype;
  private final int batch;
  private final int rows;
  private final int cols;
  private final Block block;
  private final Cleaner.Cleanable cleanable;
  private volatile Stream writer;

  /** The block of device memory. */
  private static final class Block extends Lifetime {
    final BufferRef ref;
    final Owner owner;
    final long bytes;

    Block(String name, Owner owner, BufferRef ref, long bytes) {
      super(name, owner);
      this.ref = ref;
      this.owner = owner;
      this.bytes = bytes;
    }

    @Override
    void release() {
      owner.freed(bytes);
      Native.freeBuffer(ref); // as hipFree: waits until no queued work can use the block
    }
  }

  Matrix(Device device, int id, DType dtype, int batch, int rows, int cols) {
    Require.given(dtype, "a matrix", "an element type");
    this.device = device;
    this.id = id;
    this.dtype = dtype;
    this.batch = batch;
    this.rows = rows;
    this.cols = cols;
    long bytes = count(batch, rows, cols) * dtype.bytes();
    Backend backend = device.backend();
    backend.owner.allocated(bytes);
    BackendRef ref = backend.use();
    try {
      block = new Block("Matrix " + id, backend.owner, allocate(ref, bytes), bytes);
      cleanable = block.watch(this);
    } catch (RuntimeException e) {
      backend.owner.freed(bytes);
      throw e;
    } finally {
      backend.done();
    }
  }

  // A device that is full of forgotten matrices is not full.
  private BufferRef allocate(BackendRef ref, long bytes) {
    Owner owner = device.backend().owner;
    try {
      return Native.allocate(ref, device.index(), bytes);
    } catch (HiplabException e) {
      if (!OutOfDeviceMemoryException.is(e)) {
        throw notMade(e);
      }
      owner.collect(Math.max(0, owner.deviceBytes() - 2 * bytes));
    }
    try {
      return Native.allocate(ref, device.index(), bytes);
    } catch (HiplabException e) {
      if (!OutOfDeviceMemoryException.is(e)) {
        throw notMade(e);
      }
      throw new OutOfDeviceMemoryException(
          "no memory for a matrix "
              + shape()
              + " "
              + dtype
              + " of "
              + (bytes >> 20)
              + " MiB beside "
              + ((owner.deviceBytes() - bytes) >> 20)
              + " MiB of other matrices: "
              + e.getMessage()
              + "; close matrices that are no longer needed"
              + SoftwareMemory.advice(device, e),
          e);
    }
  }

  private HiplabException notMade(HiplabException e) {
    return new HiplabException("a matrix " + shape() + " " + dtype + ": " + e.getMessage(), e);
  }

  public int id() {
    return id;
  }

  public DType dtype() {
    return dtype;
  }

  public int batch() {
    return batch;
  }

  public int rows() {
    return rows;
  }

  public int cols() {
    return cols;
  }

  public Device device() {
    return device;
  }

  /** Size in device memory, bytes. */
  public long bytes() {
    return block.bytes;
  }

  /** All values, row-major, batch after batch. Waits for the stream that wrote last. */
  public float[] floats() {
    return read(batch * rows * cols);
  }

  /** One value of the first batch. Copies the rows before it too: in loops use {@link #floats}. */
  public float get(int row, int col) {
    if (row < 0 || row >= rows || col < 0 || col >= cols) {
      throw new HiplabException("there is no element [" + row + ", " + col + "] in " + label());
    }
    return read(row * cols + col + 1)[row * cols + col];
  }

  /**
   * All values as integers.
   *
   * @throws HiplabException naming the first element that is no integer
   */
  public int[] ints() {
    float[] values = floats();
    int[] whole = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      whole[i] = (int) values[i];
      // (int) saturates, so the largest int would also come from anything above it.
      if (whole[i] != values[i] || Math.abs(values[i]) >= 0x1p31f) {
        throw new HiplabException(
            label()
                + " holds "
                + values[i]
                + " at "
                + place(i)
                + ", which is no int; read it with floats()");
      }
    }
    return whole;
  }

  /** All rows; those of a batch follow one another. */
  public float[][] rowsAsFloats() {
    float[] values = floats();
    float[][] all = new float[batch * rows][cols];
    for (int row = 0; row < all.length; row++) {
      System.arraycopy(values, row * cols, all[row], 0, cols);
    }
    return all;
  }

  /** Such as {@code [4, 64, 128]}, the batch left out when there is one matrix only. */
  public String shape() {
    return shape(batch, rows, cols);
  }

  static String shape(int batch, int rows, int cols) {
    return (batch == 1 ? "[" : "[" + batch + ", ") + rows + ", " + cols + "]";
  }

  /** Elements; checks each size. */
  static long count(int batch, int rows, int cols) {
    if (batch < 1 || rows < 1 || cols < 1) {
      throw new HiplabException(
          "a matrix needs at least one batch, row and column, not ["
              + batch
              + ", "
              + rows
              + ", "
              + cols
              + "]");
    }
    long perMatrix = (long) rows * cols;
    if (perMatrix > Integer.MAX_VALUE || perMatrix * batch > Integer.MAX_VALUE) {
      throw new HiplabException(
          "a matrix "
              + shape(batch, rows, cols)
              + " has more elements than the "
              + Integer.MAX_VALUE
              + " that a Java array can hold; use a smaller one");
    }
    return perMatrix * batch;
  }

  BufferRef use() {
    block.use();
    return block.ref;
  }

  /** Begins a use unless it is closed; every true must be followed by {@link #done}. */
  boolean tryUse() {
    return block.tryUse();
  }

  void done() {
    block.done();
  }

  Lifetime lifetime() {
    return block;
  }

  boolean isClosed() {
    return block.isClosed();
  }

  Stream writer() {
    return writer;
  }

  /** Notes the stream that from now on has to be waited for. */
  void writtenBy(Stream stream) {
    writer = stream;
  }

  /** Such as {@code Matrix 12 [2, 3] f32}. */
  String label() {
    return block.name() + " " + shape() + " " + dtype;
  }

  /** The first {@code count} values. */
  float[] read(int count) {
    block.use();
    try {
      float[] values = new float[count];
      Stream last = writer;
      if (last == null || !last.copyOutIfOpen(block.ref, values, this)) {
        // Not written by a stream, or by one that is closed: its close waited for its work.
        device.transfers().copyOut(block.ref, values, this);
      }
      return values;
    } finally {
      block.done();
    }
  }

  private String place(int index) {
    int inMatrix = index % (rows * cols);
    String element = inMatrix / cols + ", " + inMatrix % cols + "]";
    return batch == 1 ? "[" + element : "[" + index / (rows * cols) + ", " + element;
  }

  /**
   * Gives the memory to a call that sees to its end. If it throws, the matrix stays open.
   *
   * @throws HiplabException when the matrix is closed already
   */
  void giveTo(Consumer<BufferRef> call) {
    boolean given =
        block.closeBy(
            () -> {
              call.accept(block.ref);
              block.owner.freed(block.bytes);
            });
    cleanable.clean();
    if (!given) {
      block.use(); // which says so
    }
  }

  /** Returns when the memory is freed, which waits for queued work that could use it. */
  @Override
  public void close() {
    try {
      block.close();
    } finally {
      cleanable.clean();
    }
  }

  /** Shape and a corner of the values; says so when they are not there within a moment. */
  @Override
  public String toString() {
    return MatrixText.of(this);
  }
}
