package dev.hiplab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.Backend;
import dev.hiplab.CaptureMode;
import dev.hiplab.CaptureStatus;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimingTest {
  private Backend backend;
  private Device device;
  private Matrix a;
  private Matrix c;

  @TempDir Path folder;

  @BeforeEach
  void open() {
    backend = HostDevice.open();
    device = backend.device(0);
    a = device.matrix(DType.F32, 16, 16, new float[256]);
    c = device.empty(DType.F32, 16, 16);
  }

  @AfterEach
  void close() {
    assertThat(Thread.interrupted()).isFalse();
    backend.close();
  }

  private TimingBuilder gemms() {
    return Timing.on(device).arm("gemm", Gemm.NN, a, a, c);
  }

  @Test
  void roundsBeginWithEachArmInTurn() {
    List<String> ran = new ArrayList<>();
    Timing timing =
        Timing.on(device)
            .arm("a", on -> ran.add("a"))
            .arm("b", on -> ran.add("b"))
            .arm("c", on -> ran.add("c"))
            .warmUp(1)
            .repetitions(4)
            .run();
    assertThat(String.join("", ran)).isEqualTo("abc" + "abc" + "bca" + "cab" + "abc");
    assertThat(timing.samples()).extracting(Timing.Sample::arm).isEqualTo(ran);
    assertThat(timing.samples())
        .extracting(Timing.Sample::warmUp)
        .startsWith(true, true, true, false);
    assertThat(timing.samples())
        .extracting(Timing.Sample::repetition)
        .containsExactly(0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3);
    assertThat(timing.arms().keySet()).containsExactly("a", "b", "c");
    assertThat(timing.arm("b").deviceMs().count()).isEqualTo(4);
    assertThat(timing.complete()).isTrue();
  }

  /** Work of the device counts for the device, time of the host for the enqueue. */
  @Test
  void deviceAndHostAreTimedApart() {
    Matrix large = device.matrix(DType.F32, 512, 512, new float[512 * 512]);
    Matrix out = device.empty(DType.F32, 512, 512);
    Timing timing =
        Timing.on(device)
            .arm("device", Gemm.NN, large, large, out)
            .arm("host", on -> Thread.sleep(3))
            .repetitions(9)
            .run();
    Timing.Arm host = timing.arm("host");
    Timing.Arm work = timing.arm("device");
    assertThat(host.enqueueUs().min()).isGreaterThan(2900);
    assertThat(work.deviceMs().median()).isPositive();
    assertThat(work.enqueueUs().median()).isLessThan(host.enqueueUs().median());
    assertThat(timing.ratio("device").median()).isEqualTo(1);
  }

  /**
   * A host that is slow to enqueue does not show in a GEMM's device time, in a lambda's it does.
   */
  @Test
  void aGateKeepsTheHostOutOfTheDeviceTime() throws Exception {
    try (Stream stream = device.stream();
        RepetitionTimer timer = new RepetitionTimer(stream)) {
      Work slow =
          on -> {
            Thread.sleep(4);
            on.gemm(Gemm.NN, a, a, c);
          };
      stream.gemm(Gemm.NN, a, a, c);
      stream.synchronize();
      double free = 0;
      double gated = 0;
      for (int i = 0; i < 5; i++) {
        timer.enqueue(slow, false);
        free += timer.collect().get(0).deviceMs();
        timer.enqueue(slow, true);
        timer.enqueue(slow, true);
        List<RepetitionTimer.Repetition> two = timer.collect();
        assertThat(two).allMatch(RepetitionTimer.Repetition::gated);
        gated += two.get(0).deviceMs();
      }
      assertThat(free).isGreaterThan(5 * 3.9);
      assertThat(gated).isLessThan(free / 2);
    }
    Timing timing = gemms().arm("lambda", on -> Thread.sleep(2)).repetitions(9).run();
    assertThat(timing.arm("gemm").hostBound()).isFalse();
    assertThat(timing.samples())
        .filteredOn(sample -> sample.arm().equals("gemm") && !sample.warmUp())
        .allMatch(Timing.Sample::gated);
    assertThat(timing.samples())
        .filteredOn(sample -> sample.arm().equals("lambda"))
        .noneMatch(Timing.Sample::gated);
    assertThat(timing.toString()).containsPattern("\ngemm .* no +1.000").contains("TimingPlot.of");
    Timing one = gemms().repetitions(9).run();
    assertThat(one.toString()).doesNotContain("ratio");
  }

  /** Whoever throws behind a gate opens it; a host callback of another stream runs again. */
  @Test
  void theGateIsOpenedWhenWorkThrows() throws Exception {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        RepetitionTimer timer = new RepetitionTimer(stream)) {
      Work throwing =
          on -> {
            throw new HiplabException("no");
          };
      timer.enqueue(on -> on.gemm(Gemm.NN, a, a, c), true);
      assertThatThrownBy(() -> timer.enqueue(throwing, true)).hasMessage("no");
      other.gemmInCallback(other, Gemm.NN, a, a, c);
      other.synchronize();
      assertThat(timer.collect()).hasSize(1);
      stream.beginCapture(CaptureMode.THREAD_LOCAL);
      try (BatchGate gate = new BatchGate(stream)) {
        assertThat(gate.shut()).isFalse();
      }
      stream.endCapture().close();
    }
  }

  @Test
  void aSlowerArmHasARatioAboveOne() {
    Timing timing =
        gemms()
            .arm(
                "thirty",
                on -> {
                  for (int i = 0; i < 30; i++) {
                    on.gemm(Gemm.NN, a, a, c);
                  }
                })
            .repetitions(20)
            .run();
    Ratio ratio = timing.ratio("thirty");
    assertThat(ratio.low()).isGreaterThan(1).isLessThanOrEqualTo(ratio.median());
    assertThat(timing.toString())
        .contains("driver host")
        .contains("in process: timing().arm(\"gemm\", ...).arm(\"thirty\", ...).warmUp(5)")
        .containsPattern("\ngemm +20 ")
        .containsPattern("\nthirty +20 ");
  }

  @Test
  void everySampleIsInTheCsv() throws Exception {
    Timing timing = gemms().arm("one, \"two\"", on -> {}).warmUp(2).repetitions(3).run();
    List<String> lines = Files.readAllLines(timing.csv(folder.resolve("deep/t.csv")));
    assertThat(lines.get(0))
        .isEqualTo("sequence,arm,repetition,warm_up,device_ms,enqueue_us,gated,host_bound");
    assertThat(lines).hasSize(1 + 10);
    for (Timing.Sample sample : timing.samples()) {
      assertThat(Csv.cells(lines.get(1 + sample.sequence())))
          .containsExactly(
              String.valueOf(sample.sequence()),
              sample.arm(),
              String.valueOf(sample.repetition()),
              String.valueOf(sample.warmUp()),
              String.valueOf(sample.deviceMs()),
              String.valueOf(sample.enqueueUs()),
              String.valueOf(sample.gated()),
              String.valueOf(timing.arm(sample.arm()).hostBound()));
    }
  }

  @Test
  void aBudgetEndsTheRounds() {
    Timing timing =
        Timing.on(device)
            .arm("slow", on -> Thread.sleep(20))
            .budget(Duration.ofMillis(1))
            .warmUp(0)
            .run();
    assertThat(timing.arm("slow").deviceMs().count()).isEqualTo(TimingBuilder.FEWEST);
    assertThat(timing.complete()).isTrue();
    Timing few = gemms().budget(Duration.ofMinutes(5)).repetitions(4).run();
    assertThat(few.arm("gemm").deviceMs().count()).isEqualTo(4);
  }

  @Test
  void anInterruptKeepsWhatWasDone() throws Exception {
    int[] runs = {0};
    Timing timing =
        Timing.on(device)
            .arm(
                "gemm",
                on -> {
                  on.gemm(Gemm.NN, a, a, c);
                  if (++runs[0] == 12) {
                    Thread.currentThread().interrupt();
                  }
                })
            .warmUp(2)
            .run();
    Path csv = timing.csv(folder.resolve("interrupted.csv"));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(csv).content().hasLineCount(13);
    assertThat(timing.complete()).isFalse();
    assertThat(timing.arm("gemm").deviceMs().count()).isEqualTo(10);
    assertThat(timing.toString()).contains("interrupted; these were done");
    Thread.currentThread().interrupt();
    Timing none = gemms().run();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(none.arms()).isEmpty();
    assertThat(none.toString()).contains("nothing was measured");
    assertThatThrownBy(() -> none.arm("gemm")).hasMessageContaining("no arm 'gemm'");
  }

  @Test
  void anArmThatThrowsIsNamed() {
    int[] runs = {0};
    TimingBuilder timer =
        gemms()
            .arm(
                "bad",
                on -> {
                  if (++runs[0] == 3) {
                    throw new java.io.IOException("no more");
                  }
                })
            .warmUp(1);
    assertThatThrownBy(timer::run)
        .isInstanceOf(HiplabException.class)
        .hasMessage("arm 'bad', repetition 1: java.io.IOException: no more");
  }

  /**
   * An assertion in the work is the caller's Error: it is named too, and leaves no capture open.
   */
  @Test
  void anErrorOfTheWorkIsNamedAndItsCaptureEnded() {
    try (Stream stream = device.stream()) {
      TimingBuilder timing =
          Timing.on(device).stream(stream)
              .warmUp(0)
              .arm(
                  "asserts",
                  on -> {
                    on.beginCapture(CaptureMode.THREAD_LOCAL);
                    throw new AssertionError("not so");
                  });
      assertThatThrownBy(timing::run)
          .isInstanceOf(HiplabException.class)
          .hasMessage("arm 'asserts', repetition 0: java.lang.AssertionError: not so")
          .hasCauseInstanceOf(AssertionError.class);
      assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.NONE);
    }
    assertThatThrownBy(() -> Timing.on(device).budget(Duration.ofSeconds(Long.MAX_VALUE)))
        .hasMessageContaining("give a day (PT24H) at most");
  }

  @Test
  void aCaptureThatIsLeftOpenIsRefusedAndEnded() {
    try (Stream stream = device.stream()) {
      TimingBuilder timer =
          Timing.on(device).stream(stream)
              .arm("captures", on -> on.beginCapture(CaptureMode.THREAD_LOCAL));
      assertThatThrownBy(timer::run)
          .hasMessageStartingWith("arm 'captures', warm-up 0: it leaves a capture open")
          .hasMessageContaining("time the launch of its graph");
      assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.NONE);
      stream.beginCapture(CaptureMode.THREAD_LOCAL);
      assertThatThrownBy(() -> gemms().stream(stream).run())
          .hasMessageStartingWith("the stream captures");
      stream.endCapture().close();
      assertThat(gemms().stream(stream).repetitions(2).run().complete()).isTrue();
    }
  }

  @Test
  void workThatWaitsOrEnqueuesNothingHasATimeToo() {
    Timing timing =
        Timing.on(device)
            .arm("nothing", on -> {})
            .arm("waits", Stream::synchronize)
            .arm("elsewhere", on -> {})
            .repetitions(5)
            .run();
    assertThat(timing.arm("nothing").deviceMs().min()).isGreaterThanOrEqualTo(0);
    assertThat(timing.arm("waits").deviceMs().count()).isEqualTo(5);
  }

  @Test
  void misuseIsNamed() {
    assertThatThrownBy(() -> Timing.on(null)).hasMessageContaining("needs a device");
    assertThatThrownBy(() -> Timing.on(device).run()).hasMessageContaining("needs an arm");
    assertThatThrownBy(() -> gemms().arm("gemm", on -> {})).hasMessageContaining("two arms 'gemm'");
    assertThatThrownBy(() -> gemms().arm(" ", on -> {})).hasMessageContaining("name of one line");
    assertThatThrownBy(() -> gemms().arm("a\nb", on -> {})).hasMessageContaining("of one line");
    assertThatThrownBy(() -> gemms().arm("x", null)).hasMessageContaining("needs work");
    assertThatThrownBy(() -> gemms().repetitions(0)).hasMessage("repetitions is 0; give 1 or more");
    assertThatThrownBy(() -> gemms().warmUp(-1)).hasMessageContaining("warm-up rounds is -1");
    assertThatThrownBy(() -> gemms().budget(Duration.ZERO)).hasMessageContaining("needs some time");
  }
}
