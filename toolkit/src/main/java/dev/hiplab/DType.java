package dev.hiplab;

/** Element type of a matrix on the device. Java always sees {@code float}; sums are in f32. */
public enum DType {
  /** IEEE single precision; integers up to 2^24 are exact. */
  F32("f32", 0, 4, 1 << 24),
  /** IEEE half precision; integers up to 2048 are exact, finite values reach 65504. */
  F16("f16", 1, 2, 1 << 11),
  /** The upper half of an f32; integers up to 256 are exact. */
  BF16("bf16", 2, 2, 1 << 8),
  /**
   * E4M3, for inputs of a GEMM only: of {@link Gemm#NT}, on hipBLASLt, with a result in {@link
   * #BF16}. Integers up to 16 are exact; larger values than 448, infinity among them, become 448.
   */
  F8("f8", 3, 1, 1 << 4);

  private final String label;
  private final int code;
  private final int bytes;
  private final int exactInts;

  DType(String label, int code, int bytes, int exactInts) {
    this.label = label;
    this.code = code;
    this.bytes = bytes;
    this.exactInts = exactInts;
  }

  /** Size of one element, bytes. */
  public int bytes() {
    return bytes;
  }

  /** Every integer whose magnitude is at most this is held exactly. */
  public int exactInts() {
    return exactInts;
  }

  /** Element type of what a GEMM makes of inputs of this one. */
  public DType result() {
    return this == F8 ? BF16 : this;
  }

  /** The number that the bindings use. */
  int code() {
    return code;
  }

  /** The field's name, such as {@code bf16}. */
  @Override
  public String toString() {
    return label;
  }
}
