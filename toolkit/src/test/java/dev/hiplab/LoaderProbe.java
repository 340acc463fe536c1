package dev.hiplab;

/**
 * Main of the processes that {@link NativeLibraryTest} starts: loads, computes, says from where.
 */
final class LoaderProbe {
  private LoaderProbe() {}

  public static void main(String[] args) {
    try {
      String folder = NativeLibrary.folder();
      try (Backend backend = HostBackend.open();
          Stream stream = backend.device(0).stream();
          Matrix six = backend.device(0).matrix(DType.F32, 1, 1, 6);
          Matrix product = stream.matmul(six, six)) {
        System.out.println(folder + " " + product.ints()[0]);
      }
    } catch (HiplabException e) {
      System.out.println("error: " + e.getMessage());
    }
  }
}
