package dev.hiplab.scenario;

import java.util.List;

/** Tells whose code a frame of a stack is. */
public final class Frames {
  private static final List<String> JAVA =
      List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.bytedeco.");

  // What calls a workload.
  private static final List<String> HARNESS = List.of("dev.hiplab.race.", "dev.hiplab.scenario.");

  private Frames() {}

  /** Whether a class, or a frame that begins with its name, is the JDK's or JavaCPP's. */
  public static boolean ofJava(String name) {
    return JAVA.stream().anyMatch(name::startsWith);
  }

  /**
   * The innermost line of a scenario or lambda that is not this project's, such as {@code
   * Mine.java:12}; empty when there is none.
   */
  static String ownLine(Throwable failure) {
    for (StackTraceElement frame : failure.getStackTrace()) {
      String type = frame.getClassName();
      if (HARNESS.stream().anyMatch(type::startsWith)) {
        return "";
      }
      if (!type.startsWith("dev.hiplab.") && !ofJava(type) && frame.getLineNumber() > 0) {
        return frame.getFileName() + ":" + frame.getLineNumber();
      }
    }
    return "";
  }
}
