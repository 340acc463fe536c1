package dev.hiplab.measure;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Residue;
import java.util.EnumMap;
import java.util.Map;

/**
 * How a device adds the products of each type, measured once by the probes of mlxcel 2206 when a
 * comparison first asks. Used by one thread.
 */
final class DeviceSums {
  private final Device device;
  private final Map<DType, Boolean> measured = new EnumMap<>(DType.class);

  DeviceSums(Device device) {
    this.device = device;
  }

  /**
   * Whether it adds them the IEEE way. f32 does on every device; of f8 there are no probes, and
   * where there is no GEMM of the type nobody knows: both count as no.
   */
  boolean addsIeee(DType type) {
    return switch (type) {
      case F32 -> true;
      case F8 -> false;
      case F16, BF16 -> measured.computeIfAbsent(type, this::probe);
    };
  }

  private boolean probe(DType type) {
    try {
      return Residue.of(device, type).addsIeee(type);
    } catch (HiplabException e) {
      return false;
    }
  }
}
