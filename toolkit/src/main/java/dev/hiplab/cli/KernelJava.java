package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;

/**
 * The Java that runs the kernel: the one that runs this, by its own path. What {@code java} alone
 * starts is another one as soon as PATH is another (the launcher puts JAVA_HOME before it).
 *
 * @param executable its {@code java}
 */
record KernelJava(Path executable) {
  /** Keeps JDK 24 and newer from warning; every JDK from 17 on knows it. */
  static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  static final String HEADLESS = "-Djava.awt.headless=true";

  static KernelJava running() {
    if (ModuleFinder.ofSystem().find("jdk.jshell").isEmpty()) {
      throw new HiplabException(
          System.getProperty("java.home")
              + " has no jshell, which a Java kernel runs on; call this with the java of a JDK");
    }
    return new KernelJava(Path.of(System.getProperty("java.home"), "bin", "java"));
  }
}
