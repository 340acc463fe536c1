package dev.hiplab.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.hiplab.HiplabException;
import dev.hiplab.doctor.Box;
import dev.hiplab.doctor.Check;
import dev.hiplab.doctor.ForeignPath;
import dev.hiplab.doctor.Section;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Python, Jupyter, its Java kernels, and the kernels that this jar's verb has set up. */
final class JupyterSection {
  private JupyterSection() {}

  static Section of(Box box) {
    return of(box, runningJar());
  }

  /** {@code jar}: the one that runs; empty when classes do not come from one. */
  static Section of(Box box, Optional<Path> jar) {
    List<Check> checks = new ArrayList<>();
    Path checkout = jar.map(JupyterSection::launchersPython).orElse(null);
    for (String program : List.of("python3", "jupyter")) {
      checks.add(
          onPath(box, checkout, program)
              .map(path -> Check.ok(program + ": " + path))
              .orElseGet(() -> Check.note("no " + program + " on PATH")));
    }
    for (String variable : List.of("PATH", "JUPYTER_PATH", "VIRTUAL_ENV", "CONDA_PREFIX")) {
      long none = KernelFolders.noPaths(box.environment(), variable);
      if (none > 0) {
        checks.add(Check.note(none + " name(s) in " + variable + " " + ForeignPath.none()));
      }
    }
    try {
      String user = box.properties().getOrDefault("user.home", "/");
      Path home =
          ForeignPath.of(user)
              .orElseThrow(() -> new HiplabException(user + " " + ForeignPath.none()));
      List<Path> folders = KernelFolders.of(box.environment(), home, checkout).all();
      checks.add(javaKernel(folders));
      checks.addAll(kernels(folders, jar));
    } catch (UncheckedIOException | HiplabException e) {
      checks.add(Check.note("Jupyter's folders cannot be looked at: " + e.getMessage()));
    }
    return new Section("Jupyter (for notebooks only)", checks);
  }

  private static Check javaKernel(List<Path> folders) {
    try {
      return Check.ok(JavaKernel.find(folders, null).toString());
    } catch (HiplabException none) {
      return Check.note("no Java kernel that Jupyter would find: pip install jjava brings one");
    }
  }

  private static List<Check> kernels(List<Path> folders, Optional<Path> jar) {
    List<Check> found = new ArrayList<>();
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (Stream<Path> entries = Files.list(folder)) {
        entries
            .sorted()
            .filter(HiplabKernel::made)
            .forEach(kernel -> found.add(kernel(kernel, jar)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    if (found.isEmpty()) {
      found.add(Check.note("no kernel hiplab is set up: the verb kernel does that"));
    }
    return found;
  }

  private static Check kernel(Path kernel, Optional<Path> jar) {
    String text = "kernel " + kernel.getFileName() + " in " + kernel.getParent();
    Optional<Path> its = JavaKernel.spec(kernel).flatMap(JupyterSection::jarOf);
    if (its.isEmpty()) {
      return Check.note(text + " names no jar");
    }
    if (!Files.isRegularFile(its.get())) {
      return Check.trouble(
          text + " has the jar " + its.get() + ", which is not there",
          "set it up again: java -jar "
              + jar.map(Path::toString).orElse("toolkit.jar")
              + " kernel");
    }
    return jar.isEmpty() || jar.get().equals(its.get())
        ? Check.ok(text + " has " + (jar.isEmpty() ? its.get().toString() : "this jar"))
        : Check.note(text + " has another jar, " + its.get());
  }

  /** The jar comes first on the class path that the verb {@code kernel} writes. */
  private static Optional<Path> jarOf(JsonObject spec) {
    if (!(spec.get("env") instanceof JsonObject env)) {
      return Optional.empty();
    }
    for (JavaKernel.Kind kind : JavaKernel.Kind.values()) {
      String name = kind.variable("CLASSPATH");
      if (env.get(name) instanceof JsonPrimitive text) {
        String path = text.getAsString().replace("$$", "$").split(File.pathSeparator, -1)[0];
        return path.isEmpty() ? Optional.empty() : ForeignPath.of(path);
      }
    }
    return Optional.empty();
  }

  /** The Python that ./hiplab notebook sets up, of a jar that lies where a checkout builds it. */
  private static Path launchersPython(Path jar) {
    Path python = jar.resolveSibling("../../.venv").normalize();
    return jar.endsWith("toolkit/target/toolkit.jar") && Files.isDirectory(python) ? python : null;
  }

  private static Optional<Path> onPath(Box box, Path python, String program) {
    String path = box.environment().getOrDefault("PATH", "");
    return Stream.of((python == null ? path : python + "/bin:" + path).split(File.pathSeparator))
        .filter(folder -> folder.startsWith("/"))
        .flatMap(folder -> ForeignPath.of(folder, program).stream())
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Optional<Path> runningJar() {
    try {
      return Optional.of(HiplabKernel.jar());
    } catch (HiplabException classes) {
      return Optional.empty();
    }
  }
}
