package dev.hiplab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.rocm.Hip;
import dev.hiplab.rocm.HipBlasLt;
import dev.hiplab.rocm.HipRtc;
import dev.hiplab.rocm.RocBlas;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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

  private static List<String> firstLines() throws Exception {
    List<String> typed =
        Pages.block(page(), "are what there is.", "")
            .lines()
            .filter(line -> line.startsWith("jshell> "))
            .map(line -> line.substring(8))
            .toList();
    assertThat(typed).hasSize(6).contains("var n = new IntPointer(1)");
    return typed;
  }

  private String count(List<String> typed) throws Exception {
    return jshell(
        String.join("\n", typed)
                .replace("hipGetDeviceCount(n)", "System.out.println(hipGetDeviceCount(n))")
            + "\nSystem.out.println(n.get());");
  }

  @Test
  void thePageBeginsWithoutACacheOfJavaCpps() throws Exception {
    assertThat(count(firstLines())).isEqualTo("0\n1\n");
    assertThat(folder.resolve("javacpp")).doesNotExist();
  }

  /** What anyone types first: a pointer of JavaCPP's, before any class of hiplab. */
  @Test
  void aPointerMayComeFirst() throws Exception {
    List<String> typed = new ArrayList<>(firstLines());
    assertThat(typed.remove("dev.hiplab.rocm.RawCalls.describe()")).isTrue();
    assertThat(count(typed)).isEqualTo("0\n1\n");
    // Where the page's property says.
    assertThat(page()).contains("`-Dorg.bytedeco.javacpp.cachedir=DIR`");
    assertThat(folder.resolve("javacpp")).isDirectoryRecursivelyContaining("glob:**/*javacpp*.so");
  }

  @Test
  void theTraceOfThePagePrintsWhatThePageSays() throws Exception {
    String printed = jshell(Pages.block(page(), "a trace that RawCallsPageTest runs", "java"));
    assertThat(printed).startsWith("host: software device, profile ");
    assertThat(printed.substring(printed.indexOf('\n') + 1))
        .isEqualTo(Pages.block(page(), "After what raw calls go to it prints", ""));
  }

  @Test
  void thePageListsEveryFunction() throws Exception {
    int all = 0;
    for (Class<?> library : List.of(Hip.class, HipRtc.class, RocBlas.class, HipBlasLt.class)) {
      Set<String> functions = new TreeSet<>();
      for (Method method : library.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers()) && Modifier.isNative(method.getModifiers())) {
          functions.add(method.getName());
        }
      }
      all += functions.size();
      String before = "`" + library.getSimpleName() + "` (" + functions.size() + "):";
      assertThat(Pages.block(page(), before, "").split("\\s+"))
          .containsExactlyElementsOf(functions);
    }
    assertThat(page()).contains("the\n" + all + " functions of the lists");
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
