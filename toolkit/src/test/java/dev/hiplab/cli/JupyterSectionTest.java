package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.doctor.Box;
import dev.hiplab.doctor.Check;
import dev.hiplab.doctor.Facts;
import dev.hiplab.doctor.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of Jupyter, on machines made up. */
class JupyterSectionTest {
  @TempDir Path folder;

  private List<Check> checks(Path jar) {
    Map<String, String> environment =
        Map.of("PATH", folder + "/bin", "JUPYTER_DATA_DIR", folder + "/data");
    Map<String, String> properties = Map.of("user.home", folder.toString());
    Box box = new Box(environment, properties, folder, new Facts(Map.of()), false);
    return JupyterSection.of(box, Optional.of(jar)).checks();
  }

  private Path file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    file.toFile().setExecutable(true);
    return file;
  }

  private void kernel(Path jar) throws IOException {
    file(
        "data/kernels/hiplab/kernel.json",
        "{\"argv\": [\"java\"], \"env\": {\"JJAVA_CLASSPATH\": \""
            + jar
            + ":/x.jar\"}, \"metadata\": {\"hiplab\": \"0.1.0\"}}");
  }

  @Test
  void withoutJupyterThereAreNotes() {
    assertThat(checks(folder.resolve("toolkit.jar")))
        .allMatch(check -> check.level() == Level.NOTE || check.text().contains("kernel"))
        .extracting(Check::text)
        .contains("no python3 on PATH", "no jupyter on PATH")
        .anyMatch(text -> text.startsWith("no kernel hiplab is set up"));
  }

  @Test
  void aKernelOfThisJarIsAsItShouldBe() throws IOException {
    Path jar = file("toolkit.jar", "");
    file("bin/python3", "");
    file(
        "data/kernels/java/kernel.json",
        "{\"argv\": [\"java\", \"-jar\", \"jjava.jar\"], \"env\": {}}");
    kernel(jar);
    assertThat(checks(jar))
        .contains(Check.ok("python3: " + folder.resolve("bin/python3")))
        .contains(Check.ok("JJava: kernel java in " + folder.resolve("data/kernels")))
        .contains(Check.ok("kernel hiplab in " + folder.resolve("data/kernels") + " has this jar"));
  }

  @Test
  void aKernelOfAnotherJarIsANoteAndOneOfNoneATrouble() throws IOException {
    Path jar = file("toolkit.jar", "");
    Path other = file("other/toolkit.jar", "");
    kernel(other);
    assertThat(checks(jar))
        .anyMatch(check -> check.level() == Level.NOTE && check.text().endsWith(other.toString()));
    kernel(folder.resolve("gone.jar"));
    assertThat(checks(jar))
        .anyMatch(
            check ->
                check.level() == Level.TROUBLE
                    && check.text().contains("gone.jar, which is not there")
                    && check.step().endsWith("java -jar " + jar + " kernel"));
  }

  @Test
  void thePythonThatTheLauncherSetsUpIsLookedInFirst() throws IOException {
    Path jar = file("toolkit/target/toolkit.jar", "");
    Path python = file(".venv/bin/python3", "");
    assertThat(checks(jar)).contains(Check.ok("python3: " + python));
  }

  @Test
  void whatAKernelspecHoldsNeedBeNoPath() throws IOException {
    for (String text : List.of("\"a\\u0000b:/x.jar\"", "\":\"", "{}", "[\"a\"]")) {
      file(
          "data/kernels/hiplab/kernel.json",
          "{\"argv\": [{}], \"env\": {\"JJAVA_CLASSPATH\": "
              + text
              + "}, \"metadata\": {\"hiplab\": \"0.1.0\"}}");
      file("data/kernels/other/kernel.json", "{\"argv\": [{}], \"env\": {\"ijava\": {}}}");
      assertThat(checks(folder.resolve("toolkit.jar")))
          .extracting(Check::text)
          .contains("kernel hiplab in " + folder + "/data/kernels names no jar");
    }
  }
}
