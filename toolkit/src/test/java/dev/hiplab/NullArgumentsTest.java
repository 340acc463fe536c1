package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An argument that was left out is named in one sentence. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NullArgumentsTest {
  private Backend backend;
  private Device device;
  private dev.hiplab.Stream stream;
  private Matrix a;

  @BeforeAll
  void open() {
    backend = HostBackend.open();
    device = backend.device(0);
    stream = device.stream();
    a = device.matrix(DType.F32, 1, 1, 2);
  }

  @AfterAll
  void close() {
    backend.close();
  }

  private static Arguments call(String sentence, ThrowingCallable call) {
    return Arguments.of(sentence, call);
  }

  Stream<Arguments> calls() {
    return Stream.of(
        call("matmul needs a Gemm", () -> stream.matmul(null, a, a)),
        call("matmul needs a matrix for b", () -> stream.matmul(a, null)),
        call("gemm needs a Gemm", () -> stream.gemm(null, a, a, a)),
        call("gemm needs a matrix for c", () -> stream.gemm(Gemm.NN, a, a, null)),
        call("heuristics needs a Gemm", () -> stream.heuristics(null, a, a, 1, 0)),
        call("heuristics needs a Gemm", () -> stream.heuristics(null, DType.F32, 1, 1, 1, 1, 1, 0)),
        call(
            "heuristics needs an element type",
            () -> stream.heuristics(Gemm.NN, null, 1, 1, 1, 1, 1, 0)),
        call("residue needs a device", () -> Residue.of(null)),
        call("residue needs options", () -> Residue.beside(null, 0, DType.BF16)),
        call("residue needs an element type", () -> Residue.of(device, DType.BF16, null)),
        call("record needs an event", () -> stream.record(null)),
        call("await needs an event", () -> stream.await(null)),
        call("waitAt needs a gate", () -> stream.waitAt(null)),
        call("gemmInCallback needs a stream", () -> stream.gemmInCallback(null, Gemm.NN, a, a, a)),
        call("gemmInCallback needs a Gemm", () -> stream.gemmInCallback(stream, null, a, a, a)),
        call("poison needs a matrix", () -> stream.poison(null)),
        call("tune needs a matrix for c", () -> stream.tune(Gemm.NN, a, a, null, 1, 1)),
        call("beginCapture needs a mode", () -> stream.beginCapture(null)),
        call("launch needs a kernel", () -> stream.launch(null, 1, 1)),
        call("failCall is null", () -> Options.defaults().withFailCall(null)),
        call("hostArch is null", () -> Options.defaults().withHostArch(null)),
        call("millisSince needs an event", () -> device.event().millisSince(null)),
        call("a matrix needs an element type", () -> device.empty(null, 1, 1)),
        call("a matrix needs an element type", () -> device.matrix(null, 1, 1, 1)),
        call(
            "a matrix needs an array of values",
            () -> device.matrix(DType.F32, 1, 1, (float[]) null)),
        call("a measurement needs a device", () -> MatmulSpeed.measure(null, 1, 1)),
        call("forms needs a map", () -> Options.defaults().withForms(null)),
        call("the form of every part is null", () -> Options.defaults().withForm(null)),
        call("the form of part gate is null", () -> Options.defaults().withForm("gate", null)),
        call("Backend.open needs options", () -> Backend.open(null)),
        call("Backend.probe needs options", () -> Backend.probe(null)),
        call("matrix needs an array of rows", () -> Lab.matrix((float[][]) null)),
        call("matrix needs an array of rows", () -> Lab.matrix((int[][]) null)),
        call("matrix needs an array for every row", () -> Lab.matrix(new float[][] {null})),
        call("matrix needs an array for every row", () -> Lab.matrix(new int[][] {{1}, null})),
        call("matrix needs an element type", () -> Lab.matrix(null, new int[][] {{1}})),
        call("randomInts needs an element type", () -> Lab.randomInts(null, 1, 1, 0, 1, 1)),
        call("reproduce needs the id of a scenario", () -> Lab.reproduce(null)),
        call("workspaces needs a list of candidates", () -> Lab.workspaces((List<Candidate>) null)),
        call(
            "workspaces needs lists of candidates", () -> Lab.workspaces((List<Candidate>[]) null)),
        call("a part in forms is null", () -> Options.defaults().withForms(nullKey())));
  }

  private static Map<String, String> nullKey() {
    return java.util.Collections.singletonMap(null, "filed");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void isSaid(String sentence, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(HiplabException.class)
        .hasMessageStartingWith(sentence)
        .hasMessageContaining("null")
        .hasMessageNotContaining("\n");
  }
}
