package dev.hiplab;

/** Main of a process that forgets two matrices and waits until they were freed. */
final class LeakProbe {
  private LeakProbe() {}

  public static void main(String[] args) throws InterruptedException {
    try (Backend backend = HostBackend.open()) {
      forget(backend.device(0));
      while (backend.forgotten() < 2) {
        System.gc();
        Thread.sleep(1);
      }
    }
  }

  private static void forget(Device device) {
    device.matrix(DType.F32, 1, 1, 1);
    device.matrix(DType.F32, 1, 1, 2);
  }
}
