package dev.hiplab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.hiplab.Backend;
import dev.hiplab.Candidate;
import dev.hiplab.Candidates;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Event;
import dev.hiplab.FolderLock;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import dev.hiplab.Stream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SurveyTest {
  private static final String NT = "bf16 64x48x256 NT";
  private static final String NN = "f32 20x30x40 NN";

  private Backend backend;
  private Device device;

  @TempDir Path folder;

  @BeforeEach
  void open() {
    backend = HostDevice.open();
    device = backend.device(0);
  }

  @AfterEach
  void close() {
    assertThat(Thread.interrupted()).isFalse();
    backend.close();
  }

  private SurveyBuilder survey(String... shapes) {
    return Survey.on(device).shapes(shapes).budget(Duration.ofMillis(5)).out(folder);
  }

  private List<String> lines() throws Exception {
    return Files.readAllLines(folder.resolve("survey.csv"));
  }

  /** Profile splitk: bf16 split by 4 and by 8 first, a partial sum in f32 each; f32 plain. */
  private static long stated(Problem problem, int candidate, long cap) {
    List<Integer> splits = new ArrayList<>();
    if (problem.dtype() != DType.F32) {
      for (int split : new int[] {4, 8}) {
        long bytes = 4L * split * problem.batch() * problem.m() * problem.n();
        if (problem.k() >= split * 8 && bytes <= cap) {
          splits.add(split);
        }
      }
    }
    return candidate < splits.size()
        ? 4L * splits.get(candidate) * problem.batch() * problem.m() * problem.n()
        : 0;
  }

  @Test
  void workspaceIsWhatTheProfileStatesForTheFifteenShapes() {
    Survey survey = Survey.on(device).time(false).out(folder).run();
    assertThat(survey.complete()).isTrue();
    assertThat(survey.shapes().keySet()).containsExactlyElementsOf(SurveyShapes.all());
    assertThat(survey.rows()).hasSize(15 * 8);
    for (SurveyRow row : survey.rows()) {
      assertThat(row.workspaceBytes())
          .as(row.problem() + " " + row.candidate())
          .isEqualTo(stated(row.problem(), row.candidate(), 32L << 20));
      assertThat(row.verdict()).isEqualTo(Verdict.NOT_RUN);
      assertThat(row.times()).isEqualTo(SurveyRow.Times.NONE);
    }
    assertThat(survey.rows().stream().filter(row -> row.workspaceBytes() > 0)).hasSize(19);
    assertThat(survey.summary())
        .isEqualTo("15 of 15 shapes, 120 candidates, 19 ask for workspace; 120 not run");
  }

  @Test
  void eachCandidateIsTimedAndComparedWithTheHost() {
    Survey survey = survey(NT, NN, "f16 3x16x24x32 NN").repetitions(4, 6).run();
    assertThat(survey.rows()).hasSize(24);
    for (SurveyRow row : survey.rows()) {
      assertThat(row.verdict()).as(row.toString()).isEqualTo(Verdict.EXACT);
      assertThat(row.checked())
          .isEqualTo(row.problem().batch() * row.problem().m() * row.problem().n());
      assertThat(row.times().repetitions()).isBetween(4, 6);
      assertThat(row.times().min()).isPositive().isLessThanOrEqualTo(row.times().lowerQuartile());
      assertThat(row.times().max()).isGreaterThanOrEqualTo(row.times().upperQuartile());
      assertThat(row.gflops())
          .isCloseTo(2e-3 * row.problem().multiplyAdds() / row.times().median(), within(1e-6));
      assertThat(row.workspaceBytes()).isEqualTo(stated(row.problem(), row.candidate(), 32L << 20));
      assertThat(row.bound()).isPositive();
      assertThat(row.reason()).isEmpty();
    }
    assertThat(survey.rows().get(0).name()).contains("SK4");
    assertThat(survey.toString()).contains("driver host", "24 exact", folder.toString());
  }

  @Test
  void capAndNumberOfCandidatesAreTheCallers() {
    Survey survey = survey(NT).capBytes(4L * 4 * 64 * 48).candidates(3).time(false).run();
    assertThat(survey.rows()).hasSize(3);
    assertThat(survey.rows()).extracting(SurveyRow::workspaceBytes).containsExactly(49152L, 0L, 0L);
  }

  @Test
  void theFilesHoldTheSameAsTheResult() throws Exception {
    Survey survey = survey(NT, NN).run();
    Survey read = Survey.read(folder);
    assertThat(read.rows()).isEqualTo(survey.rows());
    assertThat(read.settings()).isEqualTo(survey.settings());
    assertThat(lines()).hasSize(17);
    List<String> header = Csv.cells(lines().get(0));
    // hipblaslt-bench's columns, in its order.
    assertThat(header)
        .containsSubsequence(
            "transA,transB,batch_count,m,n,k,alpha,lda,stride_a,beta,ldb,stride_b,ldc,stride_c,ldd,"
                .concat("stride_d,a_type,b_type,c_type,d_type,compute_type,hipblaslt-Gflops,us")
                .split(","));
    List<String> first = Csv.cells(lines().get(1));
    assertThat(String.join(",", first.subList(0, 21)))
        .isEqualTo(
            "T,N,1,48,64,256,1,256,12288,0,256,16384,48,3072,48,3072,bf16_r,bf16_r,bf16_r,bf16_r,"
                + "f32_r");
    assertThat(first).contains(NT, "exact", "host", "splitk");
    assertThat(first.get(header.indexOf("us")))
        .isEqualTo(String.valueOf(survey.rows().get(0).times().median()));
  }

  private static SurveyRow one(
      ShapeSurvey survey, Candidate candidate, Work work, SurveyInputs inputs, Reference reference)
      throws InterruptedException {
    Problem problem = Problem.of(NT);
    return survey.measured(problem, List.of(candidate), ignored -> work, inputs, reference).get(0);
  }

  @Test
  void aCandidateWhoseOutputAnotherStreamOverwritesIsWrong() throws Exception {
    Problem problem = Problem.of(NT);
    SurveySettings settings = survey(NT).run().settings();
    try (Stream stream = device.stream();
        Stream other = device.stream();
        Event written = device.event();
        Event overwritten = device.event();
        SurveyInputs inputs = SurveyInputs.of(device, problem, 1);
        SurveyInputs others = SurveyInputs.of(device, problem, 2);
        Candidates candidates =
            device.candidates(Gemm.NT, DType.BF16, 1, 64, 48, 256, 8, 1 << 20)) {
      Reference reference = inputs.reference(problem, 1, SurveyBuilder.CHECKED, true);
      ShapeSurvey survey = new ShapeSurvey(device, stream, settings, MeasureListener.NONE);
      Work right = on -> on.gemm(candidates, 2, inputs.a, inputs.b, inputs.c);
      Work raced =
          on -> {
            right.on(on);
            on.record(written);
            other.await(written);
            other.gemm(Gemm.NT, others.a, others.b, inputs.c);
            other.record(overwritten);
            on.await(overwritten);
          };
      var candidate = candidates.list().get(2);
      SurveyRow fine = one(survey, candidate, right, inputs, reference);
      assertThat(fine.verdict()).isEqualTo(Verdict.EXACT);
      SurveyRow row = one(survey, candidate, raced, inputs, reference);
      assertThat(row.verdict()).isEqualTo(Verdict.WRONG);
      assertThat(row.largestError()).isGreaterThan(row.bound());
      assertThat(row.reason()).startsWith("output [").contains(" is ").contains(", not ");
      SurveyRow idle = one(survey, candidate, on -> {}, inputs, reference);
      assertThat(idle.verdict()).isEqualTo(Verdict.WRONG);
      assertThat(idle.reason()).contains("was not written (NaN)");
      Work throwing =
          on -> {
            throw new HiplabException("no workspace of 12 bytes");
          };
      SurveyRow failed = one(survey, candidate, throwing, inputs, reference);
      assertThat(failed.verdict()).isEqualTo(Verdict.FAILED);
      assertThat(failed.reason()).isEqualTo("no workspace of 12 bytes");
      assertThat(failed.workspaceBytes()).isEqualTo(candidate.workspaceBytes());
    }
  }

  /**
   * Ten rounds of batches; what is timed is spread over all of them, and nothing waits at a gate.
   */
  @Test
  void candidatesAreTimedInRoundsEachBegunByTheNext() throws Exception {
    SurveySettings settings =
        survey(NN).repetitions(20, 20).budget(Duration.ofSeconds(9)).time(false).run().settings();
    settings =
        new SurveySettings(
            settings.shapes(),
            8,
            0,
            true,
            1,
            20,
            20,
            9000,
            1 << 25,
            1,
            settings.place(),
            1,
            "",
            "");
    Problem problem = Problem.of(NN);
    List<Integer> ran = new ArrayList<>();
    try (Stream stream = device.stream();
        SurveyInputs inputs = SurveyInputs.of(device, problem, 1);
        Candidates candidates = device.candidates(Gemm.NN, DType.F32, 1, 20, 30, 40, 3, 0)) {
      List<SurveyRow> rows =
          new ShapeSurvey(device, stream, settings, MeasureListener.NONE)
              .measured(
                  problem,
                  candidates.list(),
                  one ->
                      on -> {
                        ran.add(one.index());
                        on.gemm(candidates, one.index(), inputs.a, inputs.b, inputs.c);
                      },
                  inputs,
                  inputs.reference(problem, 1, 1 << 25, true));
      assertThat(rows).allMatch(row -> row.times().repetitions() == 20);
    }
    // Compared, then a first turn each with one that does not count, then rounds of turns of two.
    assertThat(ran.subList(0, 3)).containsExactly(0, 1, 2);
    List<Integer> turns = new ArrayList<>();
    ran.subList(3, ran.size()).stream()
        .filter(index -> turns.isEmpty() || !index.equals(turns.get(turns.size() - 1)))
        .forEach(turns::add);
    // A turn of short GEMMs begins with one more, which no time is read of.
    assertThat(ran).hasSizeGreaterThanOrEqualTo(3 * (1 + 1 + 20 + 10));
    assertThat(turns).startsWith(0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2);
  }

  @Test
  void whatCannotBeDoneIsARowAndTheSurveyGoesOn() {
    Survey survey = survey("f8 16x16x16 NN", "f32 65536x65536x1 NN", NN).run();
    assertThat(survey.complete()).isTrue();
    SurveyRow none = survey.rows().get(0);
    assertThat(none.hasCandidate()).isFalse();
    assertThat(none.verdict()).isEqualTo(Verdict.NO_CANDIDATE);
    assertThat(none.reason()).isNotEmpty();
    SurveyRow large = survey.rows().get(1);
    assertThat(large.verdict()).isEqualTo(Verdict.NO_CANDIDATE);
    assertThat(large.reason())
        .startsWith("not asked: C of 65536x65536 has more elements than the 2147483647");
    assertThat(survey.rows()).last().extracting(SurveyRow::verdict).isEqualTo(Verdict.EXACT);
    assertThat(survey.summary()).contains("8 exact", "2 no candidate");
  }

  @Test
  void anInterruptKeepsWholeShapesAndTheRestIsResumed() throws Exception {
    MeasureListener stops =
        new MeasureListener() {
          @Override
          public void running(String what) {
            if (what.equals(NN + ", candidate 3")) {
              Thread.currentThread().interrupt();
            }
          }
        };
    Survey survey = survey(NT, NN).listener(stops).run();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(survey.complete()).isFalse();
    assertThat(survey.rows()).hasSize(8);
    List<String> before = lines();
    assertThat(before).hasSize(9);

    List<String> told = new ArrayList<>();
    MeasureListener listens =
        new MeasureListener() {
          @Override
          public void started(String unit, int total, int done) {
            told.add(unit + " " + total + " " + done);
          }

          @Override
          public void ended(String what, int done, int total) {
            told.add(what + " " + done + " " + total);
          }
        };
    Survey whole = Survey.on(device).resume(folder).listener(listens).run();
    assertThat(whole.complete()).isTrue();
    assertThat(told).containsExactly("shapes 2 1", NN + " 2 2");
    assertThat(lines()).startsWith(before.toArray(String[]::new)).hasSize(17);
    assertThat(Survey.read(folder).rows()).isEqualTo(whole.rows());
    assertThat(folder.resolve(FolderLock.FILE)).doesNotExist();
  }

  /** An interrupt that comes when a shape has just ended must not tear its rows. */
  @Test
  void anInterruptAtTheEndOfAShapeKeepsIt() throws Exception {
    MeasureListener stops =
        new MeasureListener() {
          @Override
          public void running(String what) {
            if (what.equals(NN)) {
              Thread.currentThread().interrupt();
            }
          }
        };
    Survey survey = survey(NN, NT).time(false).listener(stops).run();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(survey.rows()).hasSize(8);
    assertThat(Survey.read(folder).rows()).isEqualTo(survey.rows());
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Survey.on(device).resume(folder).run())
        .hasMessageStartingWith("the survey was interrupted before it began");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aTornShapeIsDoneAgain() throws Exception {
    survey(NT, NN).run();
    List<String> whole = lines();
    // Three lines and a half of the second shape, as a kill may leave them.
    String torn = String.join("\n", whole.subList(0, 12)) + "\n" + whole.get(12).substring(0, 30);
    Files.writeString(folder.resolve("survey.csv"), torn);
    assertThat(Survey.read(folder).rows()).hasSize(8);
    Survey again = Survey.on(device).resume(folder).run();
    assertThat(again.rows()).hasSize(16);
    assertThat(lines()).startsWith(whole.subList(0, 9).toArray(String[]::new)).hasSize(17);
    Files.writeString(folder.resolve("survey.csv"), whole.get(0).substring(0, 9));
    assertThat(Survey.on(device).resume(folder).run().complete()).isTrue();
    assertThat(lines()).hasSize(17).first().isEqualTo(whole.get(0));
  }

  @Test
  void anotherSurveyIsNotResumed() throws Exception {
    survey(NN).run();
    assertThatThrownBy(() -> survey(NN).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("already holds a survey");
    assertThatThrownBy(() -> survey(NT).seed(5).resume(folder).run())
        .hasMessageContaining("holds another survey")
        .hasMessageContaining("shapes was [" + NN + "], is [" + NT + "]")
        .hasMessageContaining("seed was 1, is 5");
    Path json = folder.resolve("survey.json");
    String text = Files.readString(json);
    Files.writeString(json, text.replace("\"arch\": \"splitk\"", "\"arch\": \"gfx942\""));
    assertThatThrownBy(() -> Survey.on(device).resume(folder).run())
        .hasMessageContaining("architecture was gfx942, is splitk");
    Files.writeString(
        json, text.replaceFirst("\"hipblaslt\": \"[^\"]+\"", "\"hipblaslt\": \"0.1\""));
    assertThatThrownBy(() -> Survey.on(device).resume(folder).run())
        .hasMessageContaining("library versions was {")
        .hasMessageContaining("hipblaslt=0.1");
    Files.writeString(json, text.replaceFirst("\"java\": \"[^\"]+\"", "\"java\": \"16\""));
    assertThat(Survey.on(device).resume(folder).run().complete()).isTrue();
    Files.writeString(json, "{}");
    assertThatThrownBy(() -> Survey.on(device).resume(folder).run())
        .hasMessageContaining("survey.json is not what a survey wrote");
    assertThatThrownBy(() -> Survey.on(device).resume(folder.resolve("none")).run())
        .hasMessageContaining("holds no survey");
    assertThatThrownBy(() -> Survey.on(device).run()).hasMessageContaining("needs a folder");
    assertThatThrownBy(() -> survey(NN).out(json).run()).hasMessageContaining("is a file");
  }

  @Test
  void aLineThatIsNoRowIsNamed() throws Exception {
    survey(NN).run();
    Path csv = folder.resolve("survey.csv");
    Files.writeString(csv, "T,N\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> Survey.read(folder))
        .hasMessageContaining("line 10 of ")
        .hasMessageContaining("is no row of a survey: it has 2 cells");
    Files.writeString(csv, "a,b\n");
    assertThatThrownBy(() -> Survey.read(folder)).hasMessageContaining("other columns");
  }

  @Test
  void aFolderIsHeldByOneSurvey() throws Exception {
    Files.createDirectories(folder);
    try (FolderLock held = FolderLock.take(folder, "survey")) {
      assertThatThrownBy(() -> survey(NN).run())
          .hasMessageStartingWith("another survey is writing to " + folder + " (this process)");
    }
    assertThat(survey(NN).run().complete()).isTrue();
  }

  /** From its tenth on, every hipEventRecord of the process fails as after a fault of the queue. */
  @Test
  void aLostDeviceEndsTheSurveyAndKeepsWhatIsWhole() throws Exception {
    backend.close();
    backend =
        Backend.open(
            Options.defaults()
                .withDriver("host")
                .withProfile("splitk")
                .withFailCall("hipEventRecord#10+:700"));
    device = backend.device(0);
    assertThatThrownBy(
            () -> survey("f32 8x8x8 NN", NN).candidates(1).warmUp(0).repetitions(3, 3).run())
        .isInstanceOf(HiplabException.class)
        .hasMessageStartingWith("the device was lost at " + NN + ": ")
        .hasMessageContaining("hipErrorIllegalAddress")
        .hasMessageContaining("1 shape is in " + folder);
    assertThat(Survey.read(folder).rows())
        .singleElement()
        .extracting(SurveyRow::verdict)
        .isEqualTo(Verdict.EXACT);
    backend.close();
    open();
    Survey whole = Survey.on(device).resume(folder).run();
    assertThat(whole.summary())
        .startsWith("2 of 2 shapes, 2 candidates, 0 ask")
        .contains("2 exact");
  }

  @Test
  void aFileThatAnEditorGaveOtherLineEndsIsRead() throws Exception {
    Survey survey = survey(NN).candidates(1).time(false).run();
    assertThat(survey.summary()).startsWith("1 of 1 shape, 1 candidate, 0 ask");
    Path csv = folder.resolve("survey.csv");
    Files.writeString(csv, Files.readString(csv).replace("\n", "\r\n"));
    assertThat(Survey.read(folder).rows()).isEqualTo(survey.rows());
    assertThat(Survey.on(device).resume(folder).run().complete()).isTrue();
  }

  @Test
  void namesWithCommasAndQuotesComeBack() {
    Problem problem = Problem.of(NT);
    SurveyRow row =
        new SurveyRow(
            problem,
            1,
            0,
            12,
            0.5f,
            77,
            "Cijk_\"A\", B, µ",
            SurveyRow.Times.NONE,
            3,
            Verdict.WRONG,
            1e-300,
            Double.POSITIVE_INFINITY,
            "first\nsecond, \"third\"");
    String line = SurveyCsv.line(row, Place.of(device));
    assertThat(line).endsWith("\n").contains("\"Cijk_\"\"A\"\", B, µ\"");
    SurveyRow back = SurveyCsv.row(line.strip());
    assertThat(back.name()).isEqualTo(row.name());
    assertThat(back.reason()).isEqualTo("first second, \"third\"");
    assertThat(back.largestError()).isEqualTo(1e-300);
    assertThat(back.bound()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(back.solution()).isEqualTo(77);
  }

  @Test
  void misuseIsNamed() {
    assertThatThrownBy(() -> survey("bf16 1x2")).hasMessageContaining("the shape 'bf16 1x2'");
    assertThatThrownBy(() -> survey().candidates(0)).hasMessage("candidates is 0; give 1 or more");
    assertThatThrownBy(() -> survey().capBytes(-1)).hasMessageContaining("cap in bytes is -1");
    assertThatThrownBy(() -> survey().capBytes((32L << 20) + 1))
        .hasMessageStartingWith("the cap in bytes is 33554433; give 0 to 33554432");
    assertThatThrownBy(() -> survey("bf16")).hasMessageContaining("has 1 word where three");
    assertThatThrownBy(() -> survey().repetitions(5, 4)).hasMessageContaining("give 5 or more");
    assertThatThrownBy(() -> Survey.on(null)).hasMessageContaining("needs a device");
  }
}
