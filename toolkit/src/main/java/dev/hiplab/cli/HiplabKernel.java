package dev.hiplab.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.hiplab.HiplabException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A kernelspec of hiplab's own: one kernel.json that starts an installed Java kernel. */
final class HiplabKernel {
  /** What tells our kernelspecs from others: a member of their metadata. */
  private static final String MARK = "hiplab";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
  private static final Gson JSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private final Path folder;
  private final String name;

  /** {@code name}, in the folder of kernelspecs. */
  HiplabKernel(Path kernels, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new HiplabException(
          "--name is \""
              + name
              + "\"; give letters, digits, dots, hyphens and _, beginning with neither dot nor hyphen");
    }
    this.folder = kernels.resolve(name);
    this.name = name;
  }

  Path folder() {
    return folder;
  }

  String displayName() {
    return name + " (Java)";
  }

  static boolean made(Path folder) {
    return JavaKernel.spec(folder)
        .map(spec -> spec.get("metadata") instanceof JsonObject metadata && metadata.has(MARK))
        .orElse(false);
  }

  /** The jar that this class was loaded from. */
  static Path jar() {
    try {
      Path jar =
          Path.of(HiplabKernel.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (!Files.isRegularFile(jar)) {
        throw new HiplabException(jar + " is no jar; call this with java -jar toolkit.jar kernel");
      }
      return jar;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** {@code out}: where campaigns go, or null for the default. */
  void write(JavaKernel base, Path jar, KernelJava java, String out) {
    refuseForeign();
    String text = JSON.toJson(spec(base, jar, java, out)) + "\n";
    try {
      Files.createDirectories(folder);
      Path draft = Files.createTempFile(folder, "kernel", ".draft");
      Files.writeString(draft, text);
      draft.toFile().setReadable(true, false); // Jupyter may run as another user than who set it up
      Files.move(draft, folder.resolve("kernel.json"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void remove() {
    if (!Files.exists(folder.resolve("kernel.json"))) {
      throw new HiplabException("there is no kernel " + name + " in " + folder.getParent());
    }
    refuseForeign();
    try {
      Files.delete(folder.resolve("kernel.json"));
      try (Stream<Path> left = Files.list(folder)) {
        if (left.findAny().isPresent()) {
          return; // a logo, say, that someone has added
        }
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void refuseForeign() {
    if (Files.exists(folder.resolve("kernel.json")) && !made(folder)) {
      throw new HiplabException(
          folder + " is a kernelspec that hiplab did not make; choose another --name");
    }
  }

  private JsonObject spec(JavaKernel base, Path jar, KernelJava java, String out) {
    JsonObject spec = base.spec().deepCopy();
    spec.add("argv", argv(base, java));
    spec.addProperty("display_name", displayName());
    spec.add("env", environment(base, jar, java, out));
    JsonObject metadata =
        spec.get("metadata") instanceof JsonObject given ? given : new JsonObject();
    metadata.addProperty(MARK, new VersionText().getVersion()[0]);
    spec.add("metadata", metadata);
    return spec;
  }

  /** JJava's first JVM only starts a second one, with the options in JJAVA_JVM_OPTS. */
  private static JsonArray argv(JavaKernel base, KernelJava java) {
    List<String> words = new ArrayList<>(base.command());
    if (words.get(0).equals("java")) {
      words.set(0, java.executable().toString());
    }
    if (base.kind() == JavaKernel.Kind.IJAVA) {
      words.addAll(1, List.of(KernelJava.NATIVE_ACCESS, KernelJava.HEADLESS));
    }
    JsonArray argv = new JsonArray();
    words.forEach(argv::add);
    return argv;
  }

  private static JsonObject environment(JavaKernel base, Path jar, KernelJava java, String out) {
    JsonObject environment =
        base.spec().get("env") instanceof JsonObject given ? given.deepCopy() : new JsonObject();
    set(environment, base, "CLASSPATH", File.pathSeparator, classPathEntry(jar));
    set(environment, base, "STARTUP_SCRIPT", "\n", imports());
    if (base.kind() == JavaKernel.Kind.JJAVA) {
      // Split at blanks by JJava: nothing that may hold one, such as a path, goes in here.
      set(environment, base, "JVM_OPTS", " ", KernelJava.NATIVE_ACCESS + " " + KernelJava.HEADLESS);
      String folder = java.executable().getParent().toString();
      environment.addProperty("PATH", literal(folder) + File.pathSeparator + "${PATH}");
    }
    if (out != null) {
      environment.addProperty("HIPLAB_OUT", literal(out));
    }
    return environment;
  }

  /** Ours, before what the kernel that it is built on has. */
  private static void set(
      JsonObject environment, JavaKernel base, String name, String separator, String value) {
    String variable = base.kind().variable(name);
    String given = base.environment(variable);
    String all = literal(value) + (given.isBlank() ? "" : separator + given);
    environment.addProperty(variable, all);
  }

  /** Jupyter puts variables of its own environment in place of $NAME. */
  private static String literal(String text) {
    return text.replace("$", "$$");
  }

  private static String classPathEntry(Path jar) {
    String path = jar.toString();
    if (path.matches(".*[:*?].*")) {
      throw new HiplabException(
          path + " holds a colon, * or ?, which a kernel's class path cannot; move the jar");
    }
    return path;
  }

  /** The imports that ./hiplab shell gives to jshell, without their comments. */
  static String imports() {
    try (InputStream file = HiplabKernel.class.getResourceAsStream("/dev/hiplab/shell.jsh")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(text.split("\n"))
          .filter(line -> !line.isBlank() && !line.startsWith("//"))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
