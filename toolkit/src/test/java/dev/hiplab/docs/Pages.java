package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Pages of docs/ and their examples, run in a real jshell. */
final class Pages {
  private Pages() {}

  static String text(String name) throws Exception {
    return Files.readString(Path.of("..", "docs", name));
  }

  /** The fenced block that follows the text. */
  static String block(String page, String before, String language) {
    assertThat(page).contains(before);
    String after = page.substring(page.indexOf(before) + before.length());
    int begin = after.indexOf("```" + language + "\n") + language.length() + 4;
    return after.substring(begin, after.indexOf("```", begin));
  }

  /** What a session prints; it must end well, and say nothing of hiplab on standard error. */
  static String jshell(Path folder, String session) throws Exception {
    Path script = Files.writeString(folder.resolve("session.jsh"), session + "\n/exit\n");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jshell").toString());
    command.add("-R-Dhiplab.driver=host");
    // JavaCPP's own cache and jshell's preferences belong to the test.
    command.add("-R-Dorg.bytedeco.javacpp.cachedir=" + folder.resolve("javacpp"));
    command.add("-J-Djava.util.prefs.userRoot=" + folder);
    if (Runtime.version().feature() >= 24) {
      command.add("-R--enable-native-access=ALL-UNNAMED");
    }
    command.add("--class-path");
    command.add(System.getProperty("java.class.path"));
    command.add(script.toString());
    // jshell's own words, and what a later JDK warns of.
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text + Files.readString(errors)).isZero();
    assertThat(errors).content().doesNotContain("hiplab");
    return text;
  }
}
