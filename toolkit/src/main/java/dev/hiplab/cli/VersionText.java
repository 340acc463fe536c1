package dev.hiplab.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class VersionText implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = VersionText.class.getPackage().getImplementationVersion();
    String java = System.getProperty("java.runtime.version");
    return new String[] {
      "hiplab " + (version == null ? "development" : version) + ", Java " + java
    };
  }
}
