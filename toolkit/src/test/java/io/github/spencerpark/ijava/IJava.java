package io.github.spencerpark.ijava;

/**
 * Stands where the IJava kernel keeps itself. None by default, so that other tests see no kernel.
 */
public final class IJava {
  private static volatile Object kernel;

  private IJava() {}

  public static Object getKernelInstance() {
    return kernel;
  }

  public static void set(Object value) {
    kernel = value;
  }
}
