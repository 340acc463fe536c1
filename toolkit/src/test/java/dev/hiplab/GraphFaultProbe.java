package dev.hiplab;

/** Main of a process that faults its device: a graph fills memory that has been freed. */
final class GraphFaultProbe {
  private GraphFaultProbe() {}

  public static void main(String[] args) {
    Backend backend = HostBackend.open();
    Device device = backend.device(0);
    Stream stream = device.stream();
    Matrix freed = device.empty(DType.F32, 8, 8);
    stream.beginCapture(CaptureMode.THREAD_LOCAL);
    stream.poison(freed);
    Graph graph = stream.endCapture();
    freed.close();
    try {
      graph.launch(stream);
    } catch (HiplabException e) {
      System.out.println("checked: " + e.getMessage());
    }
    stream.synchronize();
    try {
      graph.launchUnchecked(stream); // which may tell of the fault itself, if it is that fast
      stream.synchronize();
      System.out.println("no fault");
    } catch (HiplabException e) {
      System.out.println("unchecked: " + e.statusName());
    }
    Runtime.getRuntime().halt(0);
  }
}
