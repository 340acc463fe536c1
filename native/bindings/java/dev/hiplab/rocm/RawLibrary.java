package dev.hiplab.rocm;

import dev.hiplab.HiplabException;
import dev.hiplab.bindings.RawLoader;
import java.util.Optional;
import java.util.ServiceLoader;

/** What the generated classes call as they are initialised, in the place of JavaCPP's loader. */
final class RawLibrary {
  private RawLibrary() {}

  static void load() {
    // By this class's loader: the context's may be a notebook's or an application server's own.
    Optional<RawLoader> loader =
        ServiceLoader.load(RawLoader.class, RawLibrary.class.getClassLoader()).findFirst();
    loader
        .orElseThrow(
            () ->
                new HiplabException(
                    "no class on this class path provides "
                        + RawLoader.class.getName()
                        + "; put toolkit.jar on it"))
        .load();
  }
}
