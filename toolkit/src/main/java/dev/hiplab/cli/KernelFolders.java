package dev.hiplab.cli;

import dev.hiplab.HiplabException;
import dev.hiplab.doctor.ForeignPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Jupyter's folders of kernelspecs, as docs.jupyter.org (Common Directories) lists them for Linux.
 *
 * @param target where a new kernelspec goes
 * @param all where they may lie, in the order in which they are looked at
 */
record KernelFolders(Path target, List<Path> all) {
  /** {@code prefix}: the folder of a Python, or null for the user's own folder. */
  static KernelFolders of(Map<String, String> environment, Path home, Path prefix) {
    Set<Path> data = new LinkedHashSet<>();
    if (prefix != null) {
      data.add(dataOf(prefix.toAbsolutePath().normalize()));
    }
    named(environment, "JUPYTER_PATH").forEach(data::add);
    for (String python : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
      named(environment, python).forEach(folder -> data.add(dataOf(folder)));
    }
    ofJupyterOnPath(environment).forEach(folder -> data.add(dataOf(folder)));
    Path user = user(environment, home);
    data.add(user);
    data.add(Path.of("/usr/local/share/jupyter"));
    data.add(Path.of("/usr/share/jupyter"));
    Path target = prefix == null ? user : data.iterator().next();
    return new KernelFolders(kernels(target), data.stream().map(KernelFolders::kernels).toList());
  }

  private static Path user(Map<String, String> environment, Path home) {
    // Another folder in its place would be one in which Jupyter does not look.
    for (String variable : List.of("JUPYTER_DATA_DIR", "XDG_DATA_HOME")) {
      if (noPaths(environment, variable) > 0) {
        throw new HiplabException(
            variable + "=" + environment.get(variable) + " " + ForeignPath.none());
      }
    }
    List<Path> own = named(environment, "JUPYTER_DATA_DIR");
    if (!own.isEmpty()) {
      return own.get(0);
    }
    List<Path> xdg = named(environment, "XDG_DATA_HOME");
    return (xdg.isEmpty() ? home.resolve(".local/share") : xdg.get(0)).resolve("jupyter");
  }

  /** The Python that {@code jupyter} belongs to has it in its bin; pipx only links to it there. */
  private static List<Path> ofJupyterOnPath(Map<String, String> environment) {
    List<Path> found = new ArrayList<>();
    for (Path folder : named(environment, "PATH")) {
      Path jupyter = folder.resolve("jupyter");
      if (Files.isExecutable(jupyter) && folder.getParent() != null) {
        try {
          found.add(jupyter.toRealPath().getParent().getParent());
        } catch (IOException gone) {
          // the link's own folder is still one
        }
        found.add(folder.getParent());
        break;
      }
    }
    return found;
  }

  /** Folders that the variable names, but for texts that cannot be paths here. */
  private static List<Path> named(Map<String, String> environment, String variable) {
    return texts(environment, variable)
        .flatMap(text -> ForeignPath.of(text).stream())
        .map(path -> path.toAbsolutePath().normalize())
        .toList();
  }

  /** How many texts of the variable cannot be paths here. */
  static long noPaths(Map<String, String> environment, String variable) {
    return texts(environment, variable).filter(text -> ForeignPath.of(text).isEmpty()).count();
  }

  private static Stream<String> texts(Map<String, String> environment, String variable) {
    return Stream.of(environment.getOrDefault(variable, "").split(File.pathSeparator))
        .filter(text -> !text.isBlank());
  }

  private static Path dataOf(Path python) {
    return python.resolve("share/jupyter");
  }

  private static Path kernels(Path data) {
    return data.resolve("kernels");
  }
}
