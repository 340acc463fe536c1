package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/raw-calls.md in a real jshell. */
@Timeout(300)
class RawCallsPageTest {
  @TempDir Path folder;

  private static String page() throws Exception {
    return Pages.text("raw-calls.md");
  }

  private String jshell(String session) throws Exception {
    return Pages.jshell(folder, session);
  }

  @Test
  void theSessionOfThePagePrintsWhatThePageSays() throws Exception {
    String told = Pages.block(page(), "It prints", "");
    assertThat(told.lines()).hasSize(5);
    String printed = jshell(Pages.block(page(), "run by RawCallsPageTest", "java"));
    assertThat(printed).startsWith("host: software device, profile ");
    assertThat(printed.substring(printed.indexOf('\n') + 1)).endsWith(told);
    assertThat(printed).doesNotContain("xception").doesNotContain("rror");
  }

  /** What anyone types first: a pointer of JavaCPP's, before any class of hiplab. */
  @Test
  void aPointerMayComeFirst() throws Exception {
    String first = Pages.block(page(), "what there is.", "");
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
    String sentence = Pages.block(page(), "sentence names the call:", "").trim();
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
