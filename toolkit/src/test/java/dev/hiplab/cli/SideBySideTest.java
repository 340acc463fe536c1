package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.Misbehaving;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code report A B}, as a person sees it. */
class SideBySideTest extends CommandLineTest {
  private Path campaign(String name, String... forms) {
    Campaign.of(Misbehaving.Behaves.class)
        .forms(forms)
        .runs(1)
        .driver("host")
        .out(folder.resolve(name))
        .run();
    return folder.resolve(name);
  }

  private void assertRefused(String sentence, Object... arguments) {
    err.reset();
    String[] all = new String[arguments.length + 1];
    all[0] = "report";
    for (int i = 0; i < arguments.length; i++) {
      all[i + 1] = arguments[i].toString();
    }
    assertThat(Main.execute(all)).isEqualTo(Main.USAGE);
    assertThat(err()).startsWith("hiplab: ").contains(sentence);
  }

  @Test
  void foldersStandBesideEachOther() throws Exception {
    Path before = campaign("before/runs", "FILED", "FIXED");
    Path after = campaign("after/runs", "FIXED");
    Path report = folder.resolve("report");
    String[] two = {"report", before.toString(), after.toString(), "--out", report.toString()};
    assertThat(Main.execute(two)).isZero();
    assertThat(out()).contains("wrote " + report.resolve("report.html"));
    assertThat(Files.readString(report.resolve("summary.md")))
        .contains("| form | way | before/runs | after/runs |")
        .contains("*no such run*");

    out.reset();
    String[] several = {
      "report", folder.resolve("before").toString(), after.toString(), "--markdown"
    };
    assertThat(Main.execute(several)).isZero();
    assertThat(out()).startsWith("- **before**: ").contains("| form | way | before | runs |");
  }

  @Test
  void withoutAFolderToWriteItSaysWhereItWrote() throws Exception {
    String one = campaign("one", "FIXED").toString();
    String two = campaign("two", "FIXED").toString();
    System.setProperty("hiplab.out", folder.resolve("new").toString());
    try {
      assertThat(Main.execute("report", one, two)).isZero();
    } finally {
      System.clearProperty("hiplab.out");
    }
    assertThat(out()).startsWith("wrote " + folder.resolve("new/report-"));
  }

  @Test
  void whatCannotBeComparedIsNamed() throws Exception {
    Path one = campaign("one", "FIXED");
    Path empty = Files.createDirectories(folder.resolve("empty"));
    Path file = Files.writeString(folder.resolve("file"), "no run\n");
    assertRefused("name each side once", one, one);
    assertRefused("name each side once", one, one.resolve("../one"));
    assertRefused("both hold", one, folder);
    assertRefused(empty + " holds no campaign", one, empty);
    assertRefused("there is no folder " + folder.resolve("none"), one, folder.resolve("none"));
    assertRefused("line 1 of " + file + " is no run", one, file);
    assertRefused("--findings takes one folder", one, empty, "--findings", "x.md");
  }

  @Test
  void namesAreAsLongAsTheyNeedToBe() {
    assertThat(SideBySide.labels(List.of(Path.of("/x/a"), Path.of("/x/b"))))
        .containsExactly("a", "b");
    assertThat(SideBySide.labels(List.of(Path.of("/x/1/a"), Path.of("/x/2/a"), Path.of("/a"))))
        .containsExactly("1/a", "2/a", "a");
    assertThat(SideBySide.labels(List.of(Path.of("/"), Path.of("/a")))).containsExactly("/", "a");
  }
}
