package dev.hiplab;

import dev.hiplab.bindings.Native;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.bytedeco.javacpp.Loader;

/**
 * Loads the native backend, OpenBLAS and the JavaCPP stubs from this jar, once per process.
 *
 * <p>The libraries are unpacked once per content hash into a private folder ({@link NativeCache})
 * and loaded by path, without JavaCPP's own loader: its cache is keyed by file size and time, so
 * that a rebuilt library of the same size would not be unpacked again, and it doubles the start
 * time of a child process. {@code -Dhiplab.nativeDir=<folder>} names a folder that {@link
 * #folder()} gave in another process, and skips unpacking. Thread-safe.
 */
public final class NativeLibrary {
  /** System property that names an unpacked folder. */
  public static final String FOLDER_PROPERTY = "hiplab.nativeDir";

  static final String PLATFORM = "linux-x86_64";
  static final String LIST = "native.properties";

  // Written under the class's lock, once everything is loaded.
  private static volatile String folder;
  private static boolean raw; // guarded by the class: whether the raw calls' library is loaded

  private NativeLibrary() {}

  /**
   * Loads everything unless that was done.
   *
   * @throws HiplabException when this is another platform, or a library is missing or cannot be
   *     unpacked or loaded; the next call tries again
   */
  public static void load() {
    // No lock once it is loaded: a workload's threads come by here between two GEMMs, and a lock
    // that they share would order what is to race.
    if (folder == null) {
      loadOnce();
    }
  }

  /**
   * Loads the stubs of the raw calls (dev.hiplab.rocm) too, unless that was done, and says what
   * those go to: a child that makes none does without.
   */
  static synchronized void loadRaw(Options options) {
    load();
    if (raw) {
      return;
    }
    String from = folder();
    String files = list(from).get("raw");
    if (files == null) {
      throw new HiplabException(
          from + File.separator + LIST + " names no raw calls; delete the folder and start again");
    }
    loadAll(from, files);
    Native.setRawOptions(options.toText());
    raw = true;
  }

  /** Whether {@link #loadRaw} was called with success. */
  static synchronized boolean isRawLoaded() {
    return raw;
  }

  private static synchronized void loadOnce() {
    if (folder != null) {
      return;
    }
    requirePlatform(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    // Before the first class of JavaCPP: it must not look for libraries itself, and it would bound
    // native memory by -Xmx.
    System.setProperty("org.bytedeco.javacpp.loadLibraries", "false");
    System.setProperty("org.bytedeco.javacpp.maxBytes", "0");
    System.setProperty("org.bytedeco.javacpp.maxPhysicalBytes", "0");
    initializeAside("java.lang.SecurityManager");
    // Meanwhile: what the first class of JavaCPP would else do after that, 6 ms of opening a jar.
    // Not on a thread of its own: it loads a library of the JDK, and System.load below holds that
    // lock.
    Loader.loadProperties();
    String given = System.getProperty(FOLDER_PROPERTY, "");
    String from;
    if (given.isEmpty()) {
      from = NativeCache.unpack();
    } else {
      from = new File(given).getAbsolutePath();
      PrivateFolder.requireSafe(new File(from).toPath(), "-D" + FOLDER_PROPERTY);
    }
    String files = list(from).get("files");
    if (files == null) {
      throw new HiplabException(
          from + File.separator + LIST + " names no files; delete the folder and start again");
    }
    loadAll(from, files);
    folder = from;
  }

  /**
   * A folder that holds the libraries, for other processes to load from; loads them first. When the
   * cache was deleted since they were loaded here, they are unpacked again.
   */
  public static synchronized String folder() {
    load();
    if (System.getProperty(FOLDER_PROPERTY, "").isEmpty() && !new File(folder, LIST).exists()) {
      folder = NativeCache.unpack();
    }
    return folder;
  }

  /**
   * Sets this process up as a child of a campaign: no core dumps, each thread's last points are
   * recorded, and a crash tells them on standard error with the native stack.
   */
  public static void prepareChild() {
    load();
    Native.prepareChild();
  }

  /** Number of the signal that such a child answers with its threads' last points. */
  public static int pointsSignal() {
    load();
    return Native.pointsSignal();
  }

  /** The name of a C++ function without its arguments; what is no mangled name comes back as is. */
  public static String functionName(String symbol) {
    load();
    return Native.functionName(symbol);
  }

  // JavaCPP makes a SecurityManager to learn who called it. Initializing that class of the JDK
  // takes 9 ms of processor time, as long as everything else here, so it runs on another core
  // meanwhile.
  private static void initializeAside(String type) {
    Thread thread =
        new Thread("hiplab-initialize") {
          @Override
          public void run() {
            try {
              Class.forName(type);
            } catch (ReflectiveOperationException | LinkageError e) {
              // A JDK without it needs no head start.
            }
          }
        };
    thread.setDaemon(true);
    thread.start();
  }

  static void requirePlatform(String os, String arch) {
    if (!os.equals("Linux") || !(arch.equals("amd64") || arch.equals("x86_64"))) {
      throw new HiplabException(
          "hiplab has native libraries for "
              + PLATFORM
              + " only; this JVM runs on "
              + os
              + " "
              + arch
              + "; use a 64-bit JVM on an x86 Linux machine");
    }
  }

  private static Map<String, String> list(String from) {
    try (FileInputStream in = new FileInputStream(new File(from, LIST))) {
      return KeyValues.texts(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new HiplabException(
          from
              + " holds no unpacked native libraries (no "
              + LIST
              + "); leave -D"
              + FOLDER_PROPERTY
              + " out, or give what NativeLibrary.folder() says");
    }
  }

  // In the order of the list: each library finds those that it needs by soname, as loaded already.
  private static void loadAll(String from, String files) {
    int start = 0;
    while (start < files.length()) {
      int comma = files.indexOf(',', start);
      int end = comma < 0 ? files.length() : comma;
      String file = from + File.separator + files.substring(start, end).trim();
      try {
        System.load(file);
      } catch (UnsatisfiedLinkError e) {
        throw new HiplabException(
            "cannot load the native library "
                + file
                + ": "
                + oneLine(e.getMessage())
                + advice(new File(file), e));
      }
      start = end + 1;
    }
  }

  private static String advice(File file, UnsatisfiedLinkError e) {
    if (!file.exists()) {
      return "; delete the folder and start again";
    }
    // What the dynamic linker says of a file system mounted noexec.
    return String.valueOf(e.getMessage()).contains("failed to map segment")
        ? "; that file system may forbid programs: set HIPLAB_CACHE to a folder on another"
        : "";
  }

  private static String oneLine(String text) {
    return text == null ? "no reason given" : text.replace('\n', ' ').trim();
  }
}
