package dev.hiplab.scenario;

import dev.hiplab.DType;
import dev.hiplab.Options;
import dev.hiplab.Residue;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether the devices of a trial add the IEEE way: measured ({@link Residue}) when somebody needs
 * to know, and once for each device and type.
 *
 * <p>That is when an output was not exact, so after the work, and on a backend of its own ({@link
 * Residue#beside}): what the trial counts stays as it is. Thread-safe.
 */
public final class DeviceSums {
  private final Options options;
  private final Map<Integer, Map<DType, Sums>> known = new TreeMap<>(); // guarded by this
  private double millis; // guarded by this

  /**
   * Nothing is opened here.
   *
   * @param options of the trial's backend
   */
  public DeviceSums(Options options) {
    this.options = options;
  }

  /** Sums of inputs of that type on a device; f32 sums of small integers are exact on each. */
  public synchronized Sums of(int device, DType type) {
    if (type == DType.F32) {
      return Sums.IEEE;
    }
    return known
        .computeIfAbsent(device, index -> new EnumMap<>(DType.class))
        .computeIfAbsent(type, any -> new Sums(() -> measure(device, type)));
  }

  /** What the measuring took so far. */
  public synchronized double millis() {
    return millis;
  }

  private boolean measure(int device, DType type) {
    long begin = System.nanoTime();
    try {
      return Residue.beside(options, device, type).addsIeee(type);
    } finally {
      spent((System.nanoTime() - begin) / 1e6);
    }
  }

  private synchronized void spent(double more) {
    millis += more;
  }
}
