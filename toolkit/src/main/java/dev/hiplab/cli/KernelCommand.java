package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sets up a Jupyter kernel that has hiplab ready. */
@Command(
    name = "kernel",
    description =
        "Sets up a Jupyter kernel with this jar, its imports and its JVM flags, on top of the Java"
            + " kernel (JJava or IJava) that is installed. Writes one kernel.json and nothing else.",
    mixinStandardHelpOptions = true)
final class KernelCommand implements Callable<Integer> {
  @Option(
      names = "--prefix",
      paramLabel = "FOLDER",
      description = "for the Python in FOLDER: FOLDER/share/jupyter/kernels (looked in first too)")
  private Path prefix;

  @Option(names = "--user", description = "for this user, in Jupyter's data folder (the default)")
  private boolean user;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "hiplab",
      description = "name of the kernel (default: ${DEFAULT-VALUE})")
  private String name;

  @Option(
      names = "--java",
      paramLabel = "KERNEL",
      description =
          "the Java kernel to build on, its name or its folder (default: the first found)")
  private String base;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "where notebooks put campaigns and plots, relative to the notebook's folder"
              + " (default: hiplab-runs)")
  private String out;

  @Option(names = "--remove", description = "removes the kernel that this verb has set up")
  private boolean remove;

  @Override
  public Integer call() {
    if (prefix != null && user) {
      throw new HiplabException("--prefix and --user name two places; give one of them");
    }
    KernelFolders folders = KernelFolders.of(System.getenv(), Path.of(home()), prefix);
    HiplabKernel kernel = new HiplabKernel(folders.target(), name);
    if (remove) {
      kernel.remove();
      System.out.println("removed " + kernel.folder());
      return 0;
    }
    JavaKernel found = JavaKernel.find(folders.all(), base);
    System.out.println("found " + found);
    Path jar = HiplabKernel.jar();
    kernel.write(found, jar, KernelJava.running(), out);
    String place = prefix == null ? "" : " --prefix " + quoted(prefix);
    String named = name.equals("hiplab") ? "" : " --name " + name;
    for (String line :
        List.of(
            "wrote " + kernel.folder().resolve("kernel.json") + ", for " + jar,
            "use it: start Jupyter and choose the kernel \"" + kernel.displayName() + "\"",
            "undo it: java -jar " + quoted(jar) + " kernel --remove" + place + named)) {
      System.out.println(line);
    }
    return 0;
  }

  /** For a shell. */
  private static String quoted(Path path) {
    String text = path.toAbsolutePath().normalize().toString();
    return text.matches("[\\w/.,@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private static String home() {
    return System.getProperty("user.home");
  }
}
