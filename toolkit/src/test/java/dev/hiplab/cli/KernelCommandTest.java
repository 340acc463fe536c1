package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernelspec, made from ones written as JJava and IJava install theirs. */
class KernelCommandTest {
  private static final String JJAVA =
      """
      {"argv": ["java", "-jar", "{resource_dir}/jjava-launcher.jar", "{resource_dir}/jjava.jar",
        "{connection_file}"], "display_name": "Java (jjava)", "language": "java",
        "interrupt_mode": "message", "env": {}, "metadata": {}}
      """;
  private static final String IJAVA =
      """
      {"argv": ["java", "-jar", "/opt/java/ijava-1.3.0.jar", "{connection_file}"],
        "display_name": "Java", "language": "java", "interrupt_mode": "message",
        "env": {"IJAVA_CLASSPATH": "/opt/mine.jar", "IJAVA_TIMEOUT": "9000"}}
      """;
  private static final Path JAR = Path.of("/home/a b/$x/toolkit.jar");
  private static final KernelJava JDK = new KernelJava(Path.of("/jdk/bin/java"));

  @TempDir Path folder;

  private Path install(String kernels, String name, String json) throws IOException {
    Path kernel = folder.resolve(kernels).resolve(name);
    Files.createDirectories(kernel);
    Files.writeString(kernel.resolve("kernel.json"), json);
    return kernel;
  }

  private JsonObject written(JavaKernel base, KernelJava java, String out) {
    HiplabKernel kernel = new HiplabKernel(folder.resolve("target"), "hiplab");
    kernel.write(base, JAR, java, out);
    return JavaKernel.spec(kernel.folder()).orElseThrow();
  }

  private static List<String> argv(JsonObject spec) {
    return spec.getAsJsonArray("argv").asList().stream().map(word -> word.getAsString()).toList();
  }

  private static String environment(JsonObject spec, String name) {
    JsonObject environment = spec.getAsJsonObject("env");
    return environment.has(name) ? environment.get(name).getAsString() : null;
  }

  @Test
  void onJJavaTheFlagsGoThroughItsLauncher() throws IOException {
    Path base = install("k", "java", JJAVA);
    JavaKernel found = JavaKernel.find(List.of(folder.resolve("k")), null);
    assertThat(found.toString()).isEqualTo("JJava: kernel java in " + folder.resolve("k"));
    JsonObject spec = written(found, JDK, null);
    assertThat(argv(spec))
        .containsExactly(
            "/jdk/bin/java",
            "-jar",
            base + "/jjava-launcher.jar",
            base + "/jjava.jar",
            "{connection_file}");
    assertThat(environment(spec, "JJAVA_CLASSPATH")).isEqualTo("/home/a b/$$x/toolkit.jar");
    assertThat(environment(spec, "JJAVA_JVM_OPTS"))
        .isEqualTo("--enable-native-access=ALL-UNNAMED -Djava.awt.headless=true");
    assertThat(environment(spec, "JJAVA_STARTUP_SCRIPT"))
        .startsWith("import static dev.hiplab.Lab.*;")
        .contains("import dev.hiplab.Stream;")
        .doesNotContain("//");
    assertThat(environment(spec, "PATH")).isEqualTo("/jdk/bin:${PATH}");
    assertThat(environment(spec, "HIPLAB_OUT")).isNull();
    assertThat(spec.get("display_name").getAsString()).isEqualTo("hiplab (Java)");
    assertThat(spec.get("interrupt_mode").getAsString()).isEqualTo("message");
  }

  @Test
  void onIJavaTheFlagsAreArgumentsOfJavaAndItsOwnSettingsStay() throws IOException {
    install("k", "java", IJAVA);
    JsonObject spec = written(JavaKernel.find(List.of(folder.resolve("k")), null), JDK, "a b");
    assertThat(argv(spec).subList(0, 4))
        .containsExactly(
            "/jdk/bin/java",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.awt.headless=true",
            "-jar");
    assertThat(environment(spec, "IJAVA_CLASSPATH"))
        .isEqualTo("/home/a b/$$x/toolkit.jar:/opt/mine.jar");
    assertThat(environment(spec, "IJAVA_TIMEOUT")).isEqualTo("9000");
    assertThat(environment(spec, "IJAVA_STARTUP_SCRIPT")).contains("import dev.hiplab.race.*;");
    assertThat(environment(spec, "HIPLAB_OUT")).isEqualTo("a b");
    assertThat(environment(spec, "JJAVA_JVM_OPTS")).isNull();
  }

  @Test
  void anotherKernelIsNotOverwrittenAndNotRemoved() throws IOException {
    Path foreign = install("target", "hiplab", IJAVA);
    install("k", "java", JJAVA);
    JavaKernel found = JavaKernel.find(List.of(folder.resolve("k")), null);
    assertThatThrownBy(() -> written(found, JDK, null))
        .isInstanceOf(HiplabException.class)
        .hasMessage(foreign + " is a kernelspec that hiplab did not make; choose another --name");
    HiplabKernel kernel = new HiplabKernel(folder.resolve("target"), "hiplab");
    assertThatThrownBy(kernel::remove).hasMessageContaining("hiplab did not make");
    assertThat(Files.readString(foreign.resolve("kernel.json"))).isEqualTo(IJAVA);
  }

  @Test
  void ourOwnIsWrittenAgainAndRemovedWhole() throws IOException {
    install("k", "java", JJAVA);
    JavaKernel found = JavaKernel.find(List.of(folder.resolve("k")), null);
    written(found, JDK, "one");
    assertThat(environment(written(found, JDK, "two"), "HIPLAB_OUT")).isEqualTo("two");
    HiplabKernel kernel = new HiplabKernel(folder.resolve("target"), "hiplab");
    try (var files = Files.list(kernel.folder())) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactly("kernel.json");
    }
    // It is no kernel to build on.
    assertThatThrownBy(() -> JavaKernel.find(List.of(folder.resolve("target")), null))
        .hasMessageStartingWith(
            "no Java kernel is installed; install JJava with pip install jjava");
    kernel.remove();
    assertThat(kernel.folder()).doesNotExist();
    assertThatThrownBy(kernel::remove).hasMessageStartingWith("there is no kernel hiplab in ");
  }

  @Test
  void whatIsAskedForByNameOrFolderIsTaken() throws IOException {
    install("k", "java", JJAVA);
    Path second = install("k", "second", IJAVA);
    Path python = install("k", "python3", "{\"argv\": [\"python\"], \"language\": \"python\"}");
    List<Path> folders = List.of(folder.resolve("none"), folder.resolve("k"));
    assertThat(JavaKernel.find(folders, "second").kind()).isEqualTo(JavaKernel.Kind.IJAVA);
    assertThat(JavaKernel.find(folders, second.toString()).folder()).isEqualTo(second);
    assertThatThrownBy(() -> JavaKernel.find(folders, "python3"))
        .hasMessageStartingWith(python + " is no kernelspec of JJava or IJava");
    assertThatThrownBy(() -> JavaKernel.find(folders, "third"))
        .hasMessageStartingWith("no kernel named third is installed");
  }

  @Test
  void namesAndPathsThatAKernelspecCannotHoldAreRefused() throws IOException {
    assertThatThrownBy(() -> new HiplabKernel(folder, "../up"))
        .hasMessageStartingWith("--name is \"../up\"");
    for (String name : List.of("..", ".", "-x", ".hidden")) {
      assertThatThrownBy(() -> new HiplabKernel(folder.resolve("target"), name))
          .hasMessageStartingWith("--name is \"" + name + "\"");
    }
    install("k", "java", JJAVA);
    JavaKernel found = JavaKernel.find(List.of(folder.resolve("k")), null);
    HiplabKernel kernel = new HiplabKernel(folder.resolve("target"), "hiplab");
    assertThatThrownBy(() -> kernel.write(found, Path.of("/a:b/toolkit.jar"), JDK, null))
        .hasMessageStartingWith("/a:b/toolkit.jar holds a colon");
    assertThat(kernel.folder()).doesNotExist();
  }

  @Test
  void foldersAreJupyters() throws IOException {
    Path home = folder.resolve("home");
    Path bin = folder.resolve("py/bin");
    Files.createDirectories(bin);
    Files.createFile(bin.resolve("jupyter")).toFile().setExecutable(true);
    Map<String, String> environment = Map.of("JUPYTER_PATH", "/one:/two", "PATH", "/none:" + bin);
    KernelFolders folders = KernelFolders.of(environment, home, null);
    Path own = home.resolve(".local/share/jupyter/kernels");
    assertThat(folders.target()).isEqualTo(own);
    assertThat(folders.all())
        .containsExactly(
            Path.of("/one/kernels"),
            Path.of("/two/kernels"),
            folder.resolve("py").toRealPath().resolve("share/jupyter/kernels"),
            own,
            Path.of("/usr/local/share/jupyter/kernels"),
            Path.of("/usr/share/jupyter/kernels"));
    Path prefix = folder.resolve("v");
    KernelFolders inPrefix = KernelFolders.of(environment, home, prefix);
    assertThat(inPrefix.target()).isEqualTo(prefix.resolve("share/jupyter/kernels"));
    assertThat(inPrefix.all().get(0)).isEqualTo(inPrefix.target());
    assertThat(KernelFolders.of(Map.of("JUPYTER_DATA_DIR", "/d"), home, null).target())
        .isEqualTo(Path.of("/d/kernels"));
    assertThat(KernelFolders.of(Map.of("XDG_DATA_HOME", "/x"), home, null).target())
        .isEqualTo(Path.of("/x/jupyter/kernels"));
  }
}
