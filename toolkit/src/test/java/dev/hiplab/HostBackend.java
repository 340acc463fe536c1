package dev.hiplab;

/** The backend of these tests: the software device, of which a process has one profile only. */
final class HostBackend {
  private HostBackend() {}

  static Backend open() {
    return Backend.open(options());
  }

  static Options options() {
    return Options.defaults().withDriver("host").withProfile("splitk");
  }
}
