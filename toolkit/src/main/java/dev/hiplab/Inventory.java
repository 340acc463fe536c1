package dev.hiplab;

import dev.hiplab.bindings.Native;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What this machine has of ROCm and for the software device, as facts. Opens no backend; but ROCm's
 * libraries are loaded, and one of an unknown make may end the process: ask in a process of its
 * own. Thread-safe.
 */
public final class Inventory {
  private Inventory() {}

  /**
   * One part: {@code machine} (device nodes, topology, PCI bus; loads nothing of ROCm), {@code
   * hip}, {@code hiprtc}, {@code rocblas}, {@code hipblaslt} (loads that library) or {@code
   * verdict} (what stands in ROCm's way, all of it). Their keys are in {@code
   * native/bindings/hiplab.h}.
   *
   * @throws HiplabException on a part that there is not, or when the native libraries do not load
   */
  public static Map<String, String> rocm(String part) {
    Require.given(part, "Inventory.rocm", "part");
    NativeLibrary.load();
    return KeyValues.texts(Native.rocmInventory(part, ""));
  }

  /**
   * The C++ compiler of the software device's kernels: {@code command} and {@code version}, or
   * {@code missing}, which says what was looked for and what to do.
   */
  public static Map<String, String> compiler() {
    NativeLibrary.load();
    return KeyValues.texts(Native.compilerInfo());
  }

  /** The OpenBLAS of the software device: {@code library}, {@code version}, {@code threads}. */
  public static Map<String, String> openblas() {
    NativeLibrary.load();
    return KeyValues.texts(Native.openblasInfo());
  }

  /** What this process loaded: {@code folder} of the native libraries, and the {@code cache}. */
  public static Map<String, String> natives() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("cache", NativeCache.location().toString());
    facts.put("folder", NativeLibrary.folder());
    return facts;
  }
}
