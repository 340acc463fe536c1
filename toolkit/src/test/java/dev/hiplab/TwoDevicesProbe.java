package dev.hiplab;

/** Events of two devices, in a process of its own: that of the other tests has one device. */
final class TwoDevicesProbe {
  private TwoDevicesProbe() {}

  public static void main(String[] args) {
    try (Backend backend = Backend.open(Options.of("host", "splitk", 2))) {
      Event[] events = new Event[2];
      for (int i = 0; i < 2; i++) {
        events[i] = backend.device(i).event();
        try (Stream stream = backend.device(i).stream()) {
          stream.record(events[i]);
        }
      }
      System.out.println("same: " + (events[1].millisSince(events[1]) == 0));
      try {
        System.out.println(events[1].millisSince(events[0]));
      } catch (HiplabException e) {
        System.out.println(e.getMessage());
      }
      for (Event event : events) {
        event.close();
      }
    }
  }
}
