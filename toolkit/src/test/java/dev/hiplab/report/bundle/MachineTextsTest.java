package dev.hiplab.report.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which texts hold a path of the machine, and which only look like it. */
class MachineTextsTest {
  private static List<String> paths(String text) {
    MachineTexts texts = new MachineTexts();
    texts.look("it", "texts", List.of("", text));
    return texts.sentences().stream().filter(line -> line.startsWith("it: paths")).toList();
  }

  @Test
  void aPathIsFoundAfterWhatStandsBeforePaths() {
    for (String before :
        List.of(
            "", "a ", "a:", "-L", "x -I", "-isystem", "A=", "file:", "file://", "\"", "2>", "@")) {
      assertThat(paths(before + "/home/bob/lib"))
          .as(before)
          .containsExactly("it: paths in 1 of 1 texts, such as /home/bob/lib");
    }
    assertThat(paths("/usr/lib:/home/bob/lib")).singleElement().asString().contains("/home/bob");
  }

  @Test
  void whatIsNoPathOfTheMachineIsNotTold() {
    for (String text :
        List.of(
            "https://host/a/b",
            "1/2/3",
            "a/b/c",
            "./a/b",
            "x-a/b/c",
            "/usr/lib/a",
            "/opt/rocm/lib")) {
      assertThat(paths(text)).as(text).isEmpty();
    }
  }

  @Test
  void aVeryLongPathIsCut() {
    assertThat(paths("/a".repeat(100_000))).singleElement().asString().hasSizeLessThan(200);
  }

  @Test
  void escapesOfJsonAreUndone() {
    assertThat(MachineTexts.plain("\"a\\u003d/b\\n/c\\\\\"")).isEqualTo("\"a=/b /c\\\"");
  }
}
