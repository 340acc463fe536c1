package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventTest {
  /** The lines of a process of its own. */
  private static String[] told(String main) throws Exception {
    String folder = "-Dhiplab.nativeDir=" + NativeLibrary.folder();
    return NativeLibraryTest.output(NativeLibraryTest.startMain(main, folder)).split("\n");
  }

  // In a process of its own: until its exit the event is open.
  @Test
  void oneThatIsKeptUntilExitIsClosedForJavaAlone() throws Exception {
    assertThat(told("dev.hiplab.KeptEventProbe"))
        .containsExactly(
            "use: Event 1 is closed; make a new one",
            "again: Event 1 is closed; make a new one",
            "live: 1",
            "close: the backend cannot be closed, still open are 0 streams, 1 event, 0 buffers,"
                + " 0 graphs and 0 candidate lists: close them first");
  }

  @Test
  void elapsedTimeBetweenTwoDevicesIsRefused() throws Exception {
    assertThat(told("dev.hiplab.TwoDevicesProbe"))
        .containsExactly(
            "same: true",
            "millisSince: Event 1 is of device 0, Event 2 of device 1, and each device has a clock"
                + " of its own; use two events of one device");
  }
}
