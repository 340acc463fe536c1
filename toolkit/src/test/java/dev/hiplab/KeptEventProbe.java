package dev.hiplab;

/** Main of a process that exits with an event that a static object destroys. */
final class KeptEventProbe {
  private KeptEventProbe() {}

  public static void main(String[] args) {
    Backend backend = HostBackend.open();
    Stream stream = backend.device(0).stream();
    Event event = backend.device(0).event();
    stream.record(event);
    event.keepUntilExit();
    try {
      event.synchronize();
    } catch (HiplabException e) {
      System.out.println("use: " + e.getMessage());
    }
    try {
      event.keepUntilExit();
    } catch (HiplabException e) {
      System.out.println("again: " + e.getMessage());
    }
    event.close();
    System.out.println("live: " + backend.counters().get("live.events"));
    try {
      backend.close();
    } catch (HiplabException e) {
      System.out.println("close: " + e.getMessage());
    }
    System.exit(0);
  }
}
