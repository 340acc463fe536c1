package dev.hiplab.measure;

import dev.hiplab.Backend;
import dev.hiplab.Options;

/** The backend of these tests: the software device, of which a process has one profile only. */
final class HostDevice {
  private HostDevice() {}

  static Backend open() {
    return Backend.open(Options.defaults().withDriver("host").withProfile("splitk"));
  }
}
