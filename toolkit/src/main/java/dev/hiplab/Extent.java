package dev.hiplab;

/**
 * Size of a grid, in blocks, or of a block, in threads. At least 1 in each direction; what a device
 * allows at most it says itself.
 */
public record Extent(int x, int y, int z) {
  public Extent {
    if (x < 1 || y < 1 || z < 1) {
      throw new HiplabException(
          "an extent needs at least 1 in each direction, not " + x + " x " + y + " x " + z);
    }
  }

  /** In one direction. */
  public static Extent of(int x) {
    return new Extent(x, 1, 1);
  }

  /** In two. */
  public static Extent of(int x, int y) {
    return new Extent(x, y, 1);
  }

  @Override
  public String toString() {
    return x + "x" + y + "x" + z;
  }
}
