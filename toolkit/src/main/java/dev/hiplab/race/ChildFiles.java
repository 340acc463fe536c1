package dev.hiplab.race;

import static java.io.File.pathSeparator;
import static java.util.stream.Collectors.joining;

import dev.hiplab.HiplabException;
import dev.hiplab.NativeLibrary;
import dev.hiplab.scenario.Form;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bytedeco.javacpp.Pointer;

/**
 * What every child of a campaign is started from: this JVM's java, a small jar, the unpacked native
 * libraries, and an archive of loaded classes. Made once and kept in the cache, named by content.
 *
 * @param java the java command
 * @param classPath the classes of a child
 * @param natives folder of the native libraries
 * @param archive class-data archive; null when there is none
 */
record ChildFiles(Path java, String classPath, Path natives, Path archive) {
  private static final Duration ARCHIVE_DEADLINE = Duration.ofSeconds(60);

  /**
   * Finds or makes them. Where the cache is read-only, children do without.
   *
   * @param scenarios jars and folders of scenarios that are not this project's
   * @throws HiplabException when a path cannot stand on a class path
   */
  static ChildFiles prepare(Set<Path> scenarios) throws InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path natives = Path.of(NativeLibrary.folder());
    requireOnePath(natives, "the cache folder", "set HIPLAB_CACHE to another folder");
    Set<Path> classPath = ownClasses();
    Set<Path> others = new LinkedHashSet<>(scenarios);
    others.removeAll(classPath);
    for (Path other : others) {
      requireOnePath(other, "the class path entry", "move it to a path without one");
    }
    try {
      return inCache(java, classPath, natives).with(others);
    } catch (IOException | OverlappingFileLockException e) {
      for (Path path : classPath) {
        requireOnePath(path, "the class path entry", "move it to a path without one");
      }
      String whole = classPath.stream().map(Path::toString).collect(joining(pathSeparator));
      return new ChildFiles(java, whole, natives, null).with(others);
    }
  }

  private static void requireOnePath(Path path, String what, String next) {
    if (path.toString().contains(pathSeparator)) {
      throw new HiplabException(
          what
              + " "
              + path
              + " holds a '"
              + pathSeparator
              + "', at which Java splits a class path; "
              + next);
    }
  }

  private static synchronized ChildFiles inCache(Path java, Set<Path> classPath, Path natives)
      throws IOException, InterruptedException {
    ChildJar classes = new ChildJar(classPath);
    Path folder = natives.resolve("child-" + classes.hash());
    Files.createDirectories(folder);
    // One process makes them, the others wait and find them; a JVM checks the time of the jar that
    // an archive was made from, so a whole jar is never written again.
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      Path jar = folder.resolve("child.jar");
      if (!ChildJar.isWhole(jar)) {
        deleteArchives(folder);
        classes.write(jar);
      }
      ChildFiles files = new ChildFiles(java, jar.toString(), natives, null);
      Path archive = folder.resolve("classes-" + jvmName() + ".jsa");
      if (!Files.exists(archive)) {
        files.makeArchive(archive);
      }
      return Files.exists(archive) ? files.with(archive) : files;
    }
  }

  /** They were made from a jar that is to be replaced. */
  private static void deleteArchives(Path folder) throws IOException {
    try (DirectoryStream<Path> archives = Files.newDirectoryStream(folder, "*.jsa")) {
      for (Path archive : archives) {
        Files.delete(archive);
      }
    }
  }

  /** Behind the jar that the archive was made from, as the JVM asks of whoever uses that. */
  private ChildFiles with(Set<Path> others) {
    StringBuilder all = new StringBuilder(classPath);
    others.forEach(other -> all.append(pathSeparator).append(other));
    return new ChildFiles(java, all.toString(), natives, archive);
  }

  private ChildFiles with(Path made) {
    return new ChildFiles(java, classPath, natives, made);
  }

  /** The command line of a child; its crash report, if any, goes to {@code crash}. */
  List<String> command(Path crash, List<String> arguments) {
    List<String> command = flags(crash);
    if (archive != null) {
      command.add("-XX:SharedArchiveFile=" + archive);
    }
    command.add(ChildMain.class.getName());
    command.addAll(arguments);
    return command;
  }

  private List<String> flags(Path crash) {
    List<String> flags = new ArrayList<>();
    flags.add(java.toString());
    flags.add("-cp");
    flags.add(classPath);
    // Start-up: the collector whose heap the JDK archives (another one would build the module graph
    // again, 10 ms), the quick compiler, no files in /tmp.
    flags.add("-XX:+UseG1GC");
    flags.add("-XX:TieredStopAtLevel=1");
    // Loops are compiled as early as ever; methods later, so that the compiler does not take a core
    // from a child that is only starting.
    flags.add("-XX:Tier3InvocationThreshold=5000");
    flags.add("-XX:Tier3MinInvocationThreshold=2000");
    flags.add("-XX:Tier3CompileThreshold=20000");
    flags.add("-XX:-UsePerfData");
    flags.add("-Xshare:auto");
    // An archive that does not match would be told on standard output.
    flags.add("-Xlog:disable");
    flags.add("-Xlog:all=error:stderr");
    // No collector thread for native memory: dev.hiplab frees its own.
    flags.add("-Dorg.bytedeco.javacpp.nopointergc=true");
    flags.add("-XX:ErrorFile=" + crash);
    flags.add("-XX:ErrorLogTimeout=10");
    flags.add("-D" + NativeLibrary.FOLDER_PROPERTY + "=" + natives);
    if (Runtime.version().feature() >= 22) {
      flags.add("--enable-native-access=ALL-UNNAMED");
    }
    return flags;
  }

  /** Best effort: without it a child starts a third slower and does the same. */
  private void makeArchive(Path archive) throws IOException, InterruptedException {
    Path draft = archive.resolveSibling(archive.getFileName() + ".draft");
    Path crash = archive.resolveSibling("hs_err.log");
    List<String> command = flags(crash);
    command.add("-XX:ArchiveClassesAtExit=" + draft);
    command.add(ChildMain.class.getName());
    // The software device: making the archive must not touch a GPU that is busy with other work.
    command.addAll(
        List.of(Training.class.getName(), Form.FIXED, "1", "host", "-", "-", "natural", "-"));
    try {
      Child.finish(command, ARCHIVE_DEADLINE);
      if (Files.exists(draft)) {
        Files.move(draft, archive, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      Files.deleteIfExists(draft);
      Files.deleteIfExists(crash);
    }
  }

  private static String jvmName() {
    String version = System.getProperty("java.vm.version") + System.getProperty("java.vm.vendor");
    String name = version + System.getProperty("java.home") + System.getProperty("os.arch");
    return Integer.toHexString(name.hashCode());
  }

  /** Jars and folders that hold this project's classes and JavaCPP's. */
  private static Set<Path> ownClasses() {
    Set<Path> paths = new LinkedHashSet<>();
    paths.add(home(ChildMain.class));
    paths.add(home(HiplabException.class));
    paths.add(home(Pointer.class));
    return paths;
  }

  /** The jar or folder that a class comes from. */
  static Path home(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException | SecurityException e) {
      throw new IllegalStateException("no class path for " + type.getName(), e);
    }
  }
}
