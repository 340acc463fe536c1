package dev.hiplab.report.sides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.hiplab.HiplabException;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.HtmlPages;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import tech.tablesaw.api.Table;

class SidesTest {
  private static RunRecord run(
      String scenario, String form, int run, Outcome outcome, double wall, String profile) {
    return new RunRecord(
        "c-" + profile + outcome,
        scenario,
        form,
        "natural",
        run,
        1 + run,
        outcome,
        outcome == Outcome.LEAK ? Grade.FORBIDDEN : Grade.EXPECTED,
        "why | <b>",
        wall,
        wall / 10,
        0,
        "",
        "",
        Map.of(),
        Map.of("n", 1L),
        Map.of("device", "d", "profile", profile, "driver", "host", "version.hiplab", "1"),
        "natural",
        List.of(),
        "java -jar toolkit.jar reproduce x",
        "2030-01-01T00:00:0" + run + "Z");
  }

  private static List<RunRecord> runs(Outcome filed, int count, double wall, String profile) {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      runs.add(run("blaslt.shared-workspace", "FILED", i, filed, wall, profile));
      runs.add(run("blaslt.shared-workspace", "FIXED", i, Outcome.EXACT, wall, profile));
    }
    return runs;
  }

  private static CampaignRuns side(String name, List<RunRecord> runs) {
    return new CampaignRuns(
        name, runs, List.of("reproduce " + name), Map.of(), runs.size() / 2, List.of());
  }

  /** The runs with more in their environment. */
  private static List<RunRecord> with(List<RunRecord> runs, String key, String value) {
    List<RunRecord> changed = new ArrayList<>();
    for (RunRecord run : runs) {
      Map<String, String> environment = new HashMap<>(run.environment());
      environment.put(key, value);
      changed.add(run.withEnvironment(environment));
    }
    return changed;
  }

  @Test
  void whateverTheEnvironmentsTellDifferentlyIsListed() {
    List<RunRecord> runs = runs(Outcome.EXACT, 2, 100, "splitk");
    for (String key : List.of("commit", "GPU_MAX_HW_QUEUES", "jobs", "os", "trace", "reason")) {
      Sides sides =
          Sides.of(List.of(side("a", with(runs, key, "x1")), side("b", with(runs, key, "x2"))));
      assertThat(SideFacts.different(sides)).as(key).containsEntry(key, List.of("x1", "x2"));
    }
    Sides alike = Sides.of(List.of(side("a", runs), side("b", runs)));
    assertThat(SideFacts.different(alike)).isEmpty();
    assertThat(SideComment.of(alike))
        .contains("no other difference between the sides")
        .contains("`blaslt.shared-workspace` (mlxcel 2200)");
  }

  private static Sides two() {
    List<RunRecord> after = runs(Outcome.EXACT, 6, 300, "splitk");
    after.add(run("own.one", "MINE", 0, Outcome.LEAK, 5, "splitk"));
    return Sides.of(
        List.of(
            side("be|fore", runs(Outcome.WRONG_RESULT, 6, 100, "splitk")), side("after", after)));
  }

  @Test
  void rowsAreMatchedAndTheOnesThatASideLacksAreSaid() {
    Sides sides = two();
    assertThat(sides.rows()).extracting(SideRow::form).containsExactly("FILED", "FIXED", "MINE");
    SideRow filed = sides.rows().get(0);
    assertThat(filed.differs()).isTrue();
    assertThat(filed.ratio(1, RunRecord::wallMillis)).isEqualTo(3);
    assertThat(filed.p(1)).isCloseTo(2.0 / 924, within(1e-9)); // 6 and 0 of 6: C(12, 6) tables
    assertThat(sides.rows().get(1).p(1)).isEqualTo(1);
    SideRow mine = sides.rows().get(2);
    assertThat(mine.isMissing(0)).isTrue();
    assertThat(mine.words(0)).isEqualTo("no such run");
    assertThat(mine.p(1)).isNaN();
    assertThat(SideFacts.conclusion(sides).get(0))
        .isEqualTo(
            "Of 3 rows 2 are there on all sides, and of those 1 differ in the kinds of outcomes.");
    assertThat(SideFacts.cautions(sides))
        .contains("be|fore lacks 1 of 3 rows: own.one MINE natural.");
  }

  @Test
  void fishersTestIsTheTextbooks() {
    // The lady tasting tea: 3 of 4 right.
    assertThat(Fisher.p(3, 1, 1, 3)).isCloseTo(0.4857142857, within(1e-9));
    assertThat(Fisher.p(1, 9, 11, 3)).isCloseTo(0.0027594562, within(1e-9));
    assertThat(Fisher.p(0, 5, 0, 7)).isEqualTo(1);
    assertThat(Fisher.p(0, 0, 3, 4)).isEqualTo(1);
  }

  @Test
  void onlyWhatDiffersIsListed() {
    Sides sides =
        Sides.of(
            List.of(
                side("a", runs(Outcome.LEAK, 2, 9, "splitk")),
                side("b", runs(Outcome.NOT_APPLICABLE, 3, 9, "gfx1151"))));
    assertThat(SideFacts.different(sides))
        .containsOnlyKeys("profile", "seeds", "runs of each form and way")
        .containsEntry("profile", List.of("splitk", "gfx1151"))
        .containsEntry("seeds", List.of("1 to 2", "1 to 3"));
    assertThat(sides.rows()).as("profiles do not keep rows apart").hasSize(2);
    assertThat(sides.rows().get(0).p(1)).as("nothing was applicable").isNaN();
    assertThat(sides.rows().get(0).ratio(1, RunRecord::wallMillis)).isNaN();
    assertThat(SideNumbers.ratios(sides.rows().get(1), RunRecord::wallMillis)).isEqualTo("1.00");
  }

  @Test
  void aSideOfSeveralProfilesHasRowsOfEach() {
    List<RunRecord> both = runs(Outcome.LEAK, 1, 9, "splitk");
    both.addAll(runs(Outcome.EXACT, 1, 9, "gfx1151"));
    Sides sides =
        Sides.of(List.of(side("both", both), side("one", runs(Outcome.LEAK, 1, 9, "splitk"))));
    assertThat(sides.rows()).hasSize(4);
    assertThat(sides.rows().get(2).isMissing(1)).isTrue();
    assertThat(SideFacts.cautions(sides))
        .anyMatch(line -> line.contains("2 runs that are the same"));
  }

  @Test
  void theReportIsPageCommentTableAndPlots(@TempDir Path folder) throws Exception {
    List<Path> files = SideReport.write(folder, two());
    assertThat(files)
        .extracting(file -> file.getFileName().toString())
        .containsExactly(
            "sides.csv",
            "summary.md",
            "outcomes-blaslt.shared-workspace.png",
            "times-blaslt.shared-workspace.png",
            "outcomes-own.one.png",
            "times-own.one.png",
            "report.html");
    Document page = HtmlPages.parse(Files.readString(folder.resolve("report.html")));
    HtmlPages.assertSelfContained(page);
    HtmlPages.assertReadable(page);
    assertThat(page.getDocumentElement().getTextContent())
        .contains("no such run", "differ", "reproduce after");
    Table table = Table.read().csv(Files.readString(folder.resolve("sides.csv")), "sides");
    assertThat(table.rowCount()).isEqualTo(3);
    assertThat(table.intColumn("be|fore: runs").asList()).containsExactly(6, 6, 0);
    assertThat(table.intColumn("after: forbidden").asList()).containsExactly(0, 0, 1);
    assertThat(ImageIO.read(folder.resolve("outcomes-own.one.png").toFile()).getWidth())
        .isEqualTo(900);
  }

  @Test
  void theCommentHasAColumnASide() {
    String comment = SideComment.of(two());
    assertThat(comment)
        .startsWith("- **be\\|fore**: d · profile splitk · driver host · hiplab 1\n- **after**: ")
        .contains("| scenario | form | way | be\\|fore | after | p | process ms | ratio |\n")
        .contains(
            "| FILED | natural | **6 WRONG_RESULT** | **6 EXACT** | 0.002 | 100 / 300 | 3.00 |")
        .contains("| MINE | natural | *no such run* | 1 LEAK **(1 forbidden)** |  | - / 5.0 |  |")
        .contains("# be|fore\nreproduce be|fore\n# after\nreproduce after\n");
  }

  @Test
  void oneSideIsNoComparison() {
    CampaignRuns one = side("a", runs(Outcome.LEAK, 1, 9, "splitk"));
    assertThatThrownBy(() -> Sides.of(List.of(one))).isInstanceOf(HiplabException.class);
    assertThatThrownBy(() -> Sides.of(List.of(one, one)))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("a name of its own");
  }
}
