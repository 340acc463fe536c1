package dev.hiplab.bindings;

/**
 * Loads the native libraries of the raw calls. The toolkit, which has them in its jar, provides one
 * as a service; the classes of {@code dev.hiplab.rocm} find it there, as this module lies below the
 * toolkit.
 */
public interface RawLoader {
  /**
   * Loads the libraries unless that was done, and says what raw calls go to.
   *
   * @throws dev.hiplab.HiplabException when a library is missing or cannot be loaded, or an option
   *     of this process is wrong
   */
  void load();
}
