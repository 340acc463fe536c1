package dev.hiplab.race;

/** The version of this jar, from its manifest. */
final class Version {
  static final String OF_HIPLAB = ofJar();

  private Version() {}

  private static String ofJar() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
