package dev.hiplab;

import dev.hiplab.bindings.RawLoader;

/**
 * The service that the classes of {@code dev.hiplab.rocm} load their stubs with: raw calls go where
 * {@link Backend#shared} goes.
 */
public final class RawStubs implements RawLoader {
  @Override
  public void load() {
    NativeLibrary.loadRaw(Options.defaults());
  }
}
