package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The Java that runs the kernel: the one that runs this.
 *
 * @param executable its {@code java}
 * @param onPath whether {@code java} alone starts it, so that an updated JDK stays in use
 */
record KernelJava(Path executable, boolean onPath) {
  /** Keeps JDK 24 and newer from warning; every JDK from 17 on knows it. */
  static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  static final String HEADLESS = "-Djava.awt.headless=true";

  static KernelJava running(String path) {
    if (ModuleFinder.ofSystem().find("jdk.jshell").isEmpty()) {
      throw new HiplabException(
          System.getProperty("java.home")
              + " has no jshell, which a Java kernel runs on; call this with the java of a JDK");
    }
    Path executable = Path.of(System.getProperty("java.home"), "bin", "java");
    return new KernelJava(executable, same(executable, firstOn(path)));
  }

  private static Path firstOn(String path) {
    for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
      Path java = Path.of(folder, "java");
      if (!folder.isEmpty() && Files.isExecutable(java)) {
        return java;
      }
    }
    return null;
  }

  private static boolean same(Path executable, Path other) {
    try {
      return other != null && executable.toRealPath().equals(other.toRealPath());
    } catch (IOException gone) {
      return false;
    }
  }
}
