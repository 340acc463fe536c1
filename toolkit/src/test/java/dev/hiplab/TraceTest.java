package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import dev.hiplab.Timeline.Lane;
import dev.hiplab.Timeline.LaneKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTest {
  private static final int GEMMS = 6;

  private Backend backend;
  private Device device;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    device = backend.device(0);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private Timeline gemmsOnTwoStreams() {
    return gemmsOnTwoStreams(false);
  }

  private Timeline gemmsOnTwoStreams(boolean events) {
    float[] values = Integers.random(64 * 64, 1, 5);
    try (Stream first = device.stream();
        Stream second = device.stream();
        Matrix a = device.matrix(DType.F32, 64, 64, values);
        Matrix c = device.empty(DType.F32, 64, 64);
        Matrix d = device.empty(DType.F32, 64, 64);
        Trace trace = events ? Trace.startWithEvents() : Trace.start()) {
      for (int i = 0; i < GEMMS; i++) {
        first.gemm(Gemm.NN, a, a, c);
        second.gemm(Gemm.NN, a, a, d);
      }
      Schedule.pass("trace-test.enqueued");
      first.synchronize();
      second.synchronize();
      return trace.end();
    }
  }

  @Test
  void eachGemmIsACallAndARunOnItsStream() {
    Timeline timeline = gemmsOnTwoStreams();
    List<Entry> calls = timeline.of(Kind.CALL, "rocblas_sgemm");
    List<Entry> runs = timeline.of(Kind.RUN, "rocblas_sgemm");
    assertThat(calls).hasSize(2 * GEMMS);
    assertThat(runs).hasSize(2 * GEMMS);
    Map<Long, Entry> byNumber = new HashMap<>();
    calls.forEach(call -> byNumber.put(call.call(), call));
    for (Entry run : runs) {
      Entry call = byNumber.get(run.call());
      assertThat(run.beginNanos()).isGreaterThanOrEqualTo(call.beginNanos());
      assertThat(run.lane().name()).isEqualTo(call.stream()).isEqualTo(run.stream());
      assertThat(call.onAnotherStream()).isFalse();
    }
    assertThat(runs.stream().map(Entry::lane).distinct())
        .hasSize(2)
        .allSatisfy(lane -> assertThat(timeline.lanes()).contains(lane));
  }

  @Test
  void theRunsOfAStreamFollowEachOtherInTheOrderOfTheirCalls() {
    Timeline timeline = gemmsOnTwoStreams();
    for (Lane lane : timeline.lanes()) {
      if (lane.kind() != LaneKind.STREAM) {
        continue;
      }
      List<Long> called = new ArrayList<>();
      long end = 0;
      for (Entry run : timeline.in(lane)) {
        assertThat(run.beginNanos()).isGreaterThanOrEqualTo(end);
        end = run.endNanos();
        called.add(run.call());
      }
      assertThat(called).isSorted().hasSizeGreaterThanOrEqualTo(GEMMS);
    }
  }

  @Test
  void timingEventsTellTheSameRunsOnTheSameStreams() {
    Timeline timeline = gemmsOnTwoStreams(true);
    assertThat(timeline.runs()).isEqualTo("events");
    assertThat(timeline.dropped()).isZero();
    Map<Long, Entry> calls = new HashMap<>();
    timeline.of(Kind.CALL, "rocblas_sgemm").forEach(call -> calls.put(call.call(), call));
    List<Entry> runs = timeline.of(Kind.RUN, "rocblas_sgemm");
    assertThat(runs).hasSize(2 * GEMMS);
    for (Entry run : runs) {
      assertThat(run.lane().name()).isEqualTo(calls.get(run.call()).stream());
      assertThat(run.endNanos()).isGreaterThanOrEqualTo(run.beginNanos());
    }
  }

  @Test
  void pointsAreInTheLaneOfTheirThread() {
    Timeline timeline = gemmsOnTwoStreams();
    Entry point = timeline.of(Kind.POINT, "trace-test.enqueued").get(0);
    assertThat(point.lane().kind()).isEqualTo(LaneKind.THREAD);
    assertThat(timeline.in(point.lane())).hasSizeGreaterThan(2 * GEMMS);
    assertThat(timeline.toString())
        .contains("runs on 2 streams (device steps)")
        .doesNotContain("dropped");
  }

  @Test
  void threadsOfOneNameShareALaneUnlessTheyAreThereAtATime() {
    String head = "runs=events\ndropped=3\nentries=4\n";
    String lines =
        "point\t7\tA\tp\t10\t20\t-2147483648\t-2147483648\t0\n"
            + "point\t8\tA\tp\t15\t30\t-2147483648\t-2147483648\t0\n"
            + "point\t9\tA\tp\t20\t25\t-2147483648\t-2147483648\t0\n"
            + "point\t8\tB\tp\t40\t40\t-2147483648\t-2147483648\t0\n";
    Timeline timeline = TraceText.read(head + lines);
    assertThat(timeline.lanes().stream().map(Lane::name)).containsExactly("A", "A (2)", "B");
    assertThat(timeline.entries().stream().map(entry -> entry.lane().name()))
        .containsExactly("A", "A (2)", "A", "B");
    assertThat(timeline.dropped()).isEqualTo(3);
    assertThat(timeline.toString()).contains("(events, 3 entries dropped)");
  }

  @Test
  void oneTraceAtATimeAndItsEndMayBeAskedForAgain() {
    try (Trace trace = Trace.start()) {
      assertThatThrownBy(Trace::start)
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("a trace is on already");
      assertThat(trace.end()).isSameAs(trace.end());
    }
    Trace.start().close();
  }

  @Test
  void aFileHoldsTheWholeTimeline(@TempDir Path folder) throws Exception {
    Timeline timeline = gemmsOnTwoStreams();
    Path file = timeline.write(folder.resolve("a/run.jsonl"));
    assertThat(Timeline.read(file)).isEqualTo(timeline);
    assertThat(Files.list(folder.resolve("a"))).containsExactly(file);
  }

  @Test
  void aTornFileSaysWhere(@TempDir Path folder) throws Exception {
    Path file = gemmsOnTwoStreams().write(folder.resolve("run.jsonl"));
    List<String> lines = Files.readAllLines(file);
    Files.write(file, lines.subList(0, 5));
    assertThatThrownBy(() -> Timeline.read(file))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("is torn or another file: its line 5 is the last");
    Files.writeString(file, lines.get(0) + "\n" + lines.get(1).substring(0, 20));
    assertThatThrownBy(() -> Timeline.read(file)).hasMessageContaining("its line 2 is not what");
    assertThatThrownBy(() -> Timeline.read(folder.resolve("none.jsonl")))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("there is no timeline");
  }
}
