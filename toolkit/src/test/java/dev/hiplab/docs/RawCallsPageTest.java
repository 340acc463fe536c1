package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/raw-calls.md in a real jshell. */
@Timeout(300)
class RawCallsPageTest {
  @TempDir Path folder;

  private static String page() throws Exception {
    return Files.readString(Path.of("..", "docs", "raw-calls.md"));
  }

  /** The fenced block that follows the text. */
  private static String block(String page, String before, String language) {
    String after = page.substring(page.indexOf(before) + before.length());
    int begin = after.indexOf("```" + language + "\n") + language.length() + 4;
    return after.substring(begin, after.indexOf("```", begin));
  }

  private String jshell(String session) throws Exception {
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

  @Test
  void theSessionOfThePagePrintsWhatThePageSays() throws Exception {
    String told = block(page(), "It prints", "");
    assertThat(told.lines()).hasSize(5);
    String printed = jshell(block(page(), "run by RawCallsPageTest", "java"));
    assertThat(printed).startsWith("host: software device, profile ");
    assertThat(printed.substring(printed.indexOf('\n') + 1)).endsWith(told);
    assertThat(printed).doesNotContain("xception").doesNotContain("rror");
  }

  /** What anyone types first: a pointer of JavaCPP's, before any class of hiplab. */
  @Test
  void aPointerMayComeFirst() throws Exception {
    String first = block(page(), "what there is.", "");
    List<String> typed =
        first.lines().filter(line -> line.startsWith("jshell> ")).map(l -> l.substring(8)).toList();
    assertThat(typed).hasSize(5).contains("var n = new IntPointer(1)");
    String session = String.join("\n", typed);
    String printed =
        jshell(
            session.replace("hipGetDeviceCount(n)", "System.out.println(hipGetDeviceCount(n))")
                + "\nSystem.out.println(n.get());");
    assertThat(printed).isEqualTo("0\n1\n");
  }

  @Test
  void theErrorOfThePageIsTheOneThatIsThrown() throws Exception {
    String sentence = block(page(), "sentence names the call:", "").trim();
    String printed =
        jshell(
            """
            import dev.hiplab.rocm.*;
            import static dev.hiplab.rocm.Hip.*;
            try {
              Check.hip("hipMalloc", hipMalloc(new org.bytedeco.javacpp.Pointer(), 1L << 50));
            } catch (dev.hiplab.HiplabException e) {
              System.out.println(e.getMessage());
            }
            """);
    assertThat(printed.trim()).isEqualTo(sentence);
  }
}
