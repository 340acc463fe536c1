package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Schedule;
import dev.hiplab.race.Campaign;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.html.CampaignPage;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The page of a campaign is one file that needs no other, and holds every run. */
class CampaignPageTest {
  private static final String NASTY =
      "<script>alert('1')</script> & \"q\" | `b` \u0007 \u202Egnorw\u202C ]]> </pre>";

  private static RunRecord filed(int run, String detail) {
    return Sample.run("splitk", "FILED", run, Outcome.CRASH, Grade.EXPECTED, 20, 10, detail);
  }

  private static Document page(List<RunRecord> records) throws Exception {
    return HtmlPages.parse(CampaignPage.of(CampaignRuns.of(records)));
  }

  private static String text(Document page) {
    return page.getDocumentElement().getTextContent();
  }

  @Test
  void nothingIsLoadedFromElsewhere() throws Exception {
    Document page = page(List.of(filed(0, "x"), filed(1, "y")));
    HtmlPages.assertSelfContained(page);
    HtmlPages.assertReadable(page);
    assertThat(HtmlPages.all(page, "img")).hasSize(2);
    assertThat(HtmlPages.all(page, "meta"))
        .anyMatch(meta -> meta.getAttribute("content").startsWith("default-src 'none'"));
  }

  @Test
  void whatRunsSayIsTextWhateverItHolds() throws Exception {
    List<RunRecord> runs =
        List.of(filed(0, NASTY), Sample.of("<b>own & only</b>", "<i>F</i>", 0, Outcome.EXACT));
    CampaignRuns all =
        new CampaignRuns(
            "<x>",
            runs,
            List.of("run '<y>'"),
            Map.of("A\"<b>.java", "class A<T> {}\0"),
            0,
            List.of());
    String html = CampaignPage.of(all);
    assertThat(html).doesNotContain("<script", "\u202E", "\u0007", "\0");
    Document page = HtmlPages.parse(html);
    HtmlPages.assertSelfContained(page);
    HtmlPages.assertReadable(page);
    assertThat(text(page))
        .contains(
            "<script>alert('1')</script> & \"q\" | `b` \\u0007 \\u202egnorw\\u202c ]]> </pre>")
        .contains("<b>own & only</b>", "<i>F</i>", "run '<y>'", "class A<T> {}");
  }

  @Test
  void theOrderIsWhereThenWhatCameOfItThenRunsThenWords() throws Exception {
    RunRecord against =
        Sample.run("splitk", "FIXED", 0, Outcome.LEAK, Grade.FORBIDDEN, 9, 1, "2 left");
    RunRecord forced = Sample.forced("FILED", 0, Outcome.WRONG_RESULT, "why", Schedule.Status.HELD);
    String text = text(page(List.of(filed(0, "SIGSEGV in f"), against, forced)));
    assertThat(text)
        .containsSubsequence(
            "a device", "What came of it", "1 of 1 run against the source.", "LEAK: 2 left")
        .containsSubsequence(
            "GEMMs on different streams",
            "mlxcel 2200",
            "summary",
            "FILED forced",
            "counters",
            "How to read")
        .contains("the process died of a signal", "outputs right, objects left behind")
        .doesNotContain("the deadline passed"); // no run hung
  }

  @Test
  void everyRunHasARowAndManyAreFoldedAway() throws Exception {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      runs.add(Sample.run("FIXED", i, Outcome.EXACT, Grade.EXPECTED, 9));
    }
    runs.add(Sample.run("FILED", 0, Outcome.LEAK, Grade.FORBIDDEN, 9));
    Document page = page(runs);
    assertThat(HtmlPages.all(page, "tr")).hasSizeGreaterThan(71);
    List<String> open =
        HtmlPages.all(page, "details").stream()
            .filter(details -> details.hasAttribute("open"))
            .map(Element::getTextContent)
            .toList();
    assertThat(open).singleElement().asString().startsWith("FILED: 1 run, 1 LEAK");
  }

  @Test
  void severalScenariosAreListedFirstAndLinked() throws Exception {
    Document page =
        page(
            List.of(
                Sample.of("rocblas.first-gemm", "FILED", 0, Outcome.EXACT),
                Sample.of("own scenario", "MINE", 0, Outcome.EXACT)));
    HtmlPages.assertReadable(page);
    assertThat(HtmlPages.all(page, "a"))
        .extracting(link -> link.getAttribute("href"))
        .containsExactly(
            "#s-rocblas.first-gemm",
            "#s-own_scenario",
            "https://github.com/lablup/mlxcel/issues/2198");
  }

  @Test
  void aCampaignsFolderTellsHowItWasMade(@TempDir Path folder) throws Exception {
    Campaign.of("rocblas.first-gemm")
        .ways("natural")
        .forms("FIXED")
        .runs(1)
        .driver("host")
        .out(folder)
        .run();
    CampaignRuns runs = CampaignRuns.read("it", List.of(folder));
    assertThat(runs.asked()).isEqualTo(1);
    Document page = HtmlPages.parse(CampaignPage.of(runs));
    HtmlPages.assertReadable(page);
    assertThat(text(page))
        .contains("reproduce rocblas.first-gemm --forms FIXED --way natural --runs 1 --seed 1")
        .contains("why this driver", "it was asked for", "calls.rocblas_create_handle");
  }
}
