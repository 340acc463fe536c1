package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file of winners: what is written, refused, checked and used. */
@Timeout(120)
class TuningsTest {
  private static final TuneOptions PATIENT =
      TuneOptions.DEFAULTS.withBound(Duration.ofMinutes(1)).withRepetitions(1).withCandidates(3);
  private static final TunedOn ELSEWHERE =
      new TunedOn("rocm", "", "gfx1151", "Radeon 8060S", "70226015", "100400");

  @TempDir Path folder;
  private Path file;
  private Backend backend;
  private Device device;

  @BeforeEach
  void open() {
    file = folder.resolve("winners.json");
    backend = HostBackend.open();
    device = backend.device(0);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private static Winner winner(int m, TunedOn on) {
    return new Winner(
        DType.BF16, Gemm.NT, 1, m, 16, 64, on, 3, 1 << 20, 12, "a_name", 4096, 0.25, "0.1.0");
  }

  private TuneResult tuned(int m) {
    return Gemm.NT.tune(device, DType.BF16, m, 16, 64, PATIENT);
  }

  private void assertRefused(String text, String... parts) throws Exception {
    Files.writeString(file, text);
    assertThatThrownBy(() -> Tunings.read(file))
        .isInstanceOf(HiplabException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContainingAll(parts);
  }

  private String written() throws Exception {
    return Files.readString(Tunings.empty().with(winner(16, ELSEWHERE)).write(file));
  }

  @Test
  void whatIsWrittenIsReadBackSorted() throws Exception {
    Winner first = winner(16, ELSEWHERE);
    Winner second = winner(32, ELSEWHERE);
    Tunings both = Tunings.empty().with(second).with(first);
    assertThat(both.winners()).containsExactly(first, second);
    assertThat(Tunings.read(both.write(file)).winners()).containsExactly(first, second);
    String text = Files.readString(file);
    assertThat(text)
        .startsWith("{\n  \"format\": \"hiplab tunings\",\n  \"version\": 1,\n")
        .contains("      \"type\": \"bf16\",\n      \"transposes\": \"NT\",\n")
        .contains("\"hipblaslt\": \"100400\"")
        .contains("\"medianMs\": 0.25")
        .endsWith("}\n");
    Tunings.read(file).write(file);
    assertThat(Files.readString(file)).as("written again").isEqualTo(text);
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void aLaterWinnerTakesThePlaceOfAnEarlierOne() {
    Winner better =
        new Winner(DType.BF16, Gemm.NT, 1, 16, 16, 64, ELSEWHERE, 8, 0, 3, "", 0, 0.125, "0.2.0");
    assertThat(Tunings.empty().with(winner(16, ELSEWHERE)).with(better).winners())
        .containsExactly(better);
  }

  @Test
  void whatIsTunedHereIsUsedByAFreshBackend() {
    TuneResult result = tuned(16);
    Tunings.empty().with(result).write(file);
    try (Backend fresh = HostBackend.open()) {
      Device other = fresh.device(0);
      List<Tunings.Checked> checked = Tunings.read(file).check(other);
      assertThat(checked).containsExactly(new Tunings.Checked(result.winner(), true, true, ""));
      assertThat(Tunings.read(file).use(other)).isEqualTo(checked);
      Matrix a = other.matrix(DType.BF16, 16, 64, Integers.random(1024, 2, 1));
      Matrix c = other.empty(DType.BF16, 16, 16);
      try (Stream stream = other.stream()) {
        stream.gemm(Gemm.NT, a, a, c);
        assertThat(c.ints())
            .containsExactly(
                Integers.gemm(false, true, 1, 16, 16, 64, 1, a.floats(), a.floats(), 0, null));
      }
      assertThat(fresh.counters().get("route.hipblaslt")).isEqualTo(1);
    }
  }

  @Test
  void aWinnerOfAnotherPlaceIsRefusedAndBothValuesAreNamed() {
    TunedOn here = tuned(16).on();
    Winner usable = tuned(16).winner();
    List<TunedOn> others =
        List.of(
            new TunedOn("rocm", "", here.arch(), here.device(), here.hip(), here.hipblaslt()),
            new TunedOn(
                here.provider(), "gfx1151", here.arch(), here.device(), here.hip(), "100100"),
            new TunedOn(here.provider(), here.profile(), "gfx942", "MI300X", here.hip(), "100100"),
            new TunedOn(here.provider(), here.profile(), here.arch(), here.device(), "1", "100100"),
            new TunedOn(
                here.provider(), here.profile(), here.arch(), here.device(), here.hip(), "9"));
    List<String> reasons =
        List.of(
            "driver rocm, here host; profile none, here splitk;",
            "profile gfx1151, here splitk;",
            "architecture gfx942, here splitk; device MI300X, here " + here.device() + ";",
            "HIP version 1, here " + here.hip() + ";",
            "hipBLASLt version 9, here 100100;");
    for (int i = 0; i < others.size(); i++) {
      Tunings tunings = Tunings.empty().with(winner(32, others.get(i)));
      String reason = tunings.check(device).get(0).reason();
      assertThat(reason)
          .isEqualTo(
              "it was tuned with "
                  + reasons.get(i)
                  + " an index counts only where all of these are the same: tune again on this"
                  + " device");
      assertThatThrownBy(() -> tunings.use(device))
          .isInstanceOf(HiplabException.class)
          .hasMessage(
              "none of 1 winner can be used on device 0; the first, bf16 32x16x64 NT: " + reason);
      List<Tunings.Checked> mixed = tunings.with(usable).use(device);
      assertThat(mixed)
          .as("what fits is used, though another does not")
          .extracting(Tunings.Checked::fits)
          .containsExactly(true, false);
      assertThat(mixed).extracting(Tunings.Checked::here).containsExactly(true, false);
      assertThat(mixed.get(1)).asString().startsWith("elsewhere   bf16 32x16x64 NT: ");
      assertThat(mixed.get(1).reason()).isEqualTo(reason);
    }
    assertThat(Tunings.empty().check(device)).isEmpty();
    assertThatThrownBy(() -> Tunings.empty().use(device))
        .isInstanceOf(HiplabException.class)
        .hasMessage(
            "there is no winner to use on device 0: the list is empty; tune a GEMM and keep it with"
                + " Tunings.with first");
  }

  @Test
  void anIndexThatIsNotOfferedIsRefused() {
    TunedOn here = tuned(16).on();
    Tunings unknown = Tunings.empty().with(winner(16, here)); // solution 12, 4096 bytes
    assertThat(unknown.check(device).get(0).reason())
        .startsWith(
            "the heuristic does not offer solution 12 with 4096 bytes of workspace for this shape:"
                + " of 3 candidates under a cap of 1048576 bytes it offers 0 (")
        .endsWith("; tune again on this device");
    Winner own = tuned(16).winner();
    Winner bytes =
        new Winner(
            own.dtype(),
            own.spec(),
            1,
            16,
            16,
            64,
            here,
            3,
            own.capBytes(),
            own.solution(),
            own.name(),
            own.workspaceBytes() + 1,
            1,
            "x");
    assertThat(Tunings.empty().with(bytes).check(device).get(0).reason())
        .contains("solution " + own.solution() + " with " + (own.workspaceBytes() + 1) + " bytes");
  }

  @Test
  void aNameThatContradictsItsIndexIsRefused() {
    Winner own = tuned(16).winner();
    Winner renamed =
        new Winner(
            own.dtype(),
            own.spec(),
            own.batch(),
            own.m(),
            own.n(),
            own.k(),
            own.on(),
            own.candidates(),
            own.capBytes(),
            own.solution(),
            "another",
            own.workspaceBytes(),
            own.medianMs(),
            own.hiplab());
    Tunings.Checked checked = Tunings.empty().with(renamed).check(device).get(0);
    assertThat(checked.here()).isTrue();
    assertThat(checked.reason())
        .isEqualTo(
            "the heuristic offers solution "
                + own.solution()
                + " as '"
                + own.name()
                + "', and the winner is named 'another': an index is one algorithm only; tune again"
                + " on this device");
    assertThat(checked).asString().startsWith("not usable  bf16 16x16x64 NT: ");
  }

  @Test
  void checkingBesideACaptureWithoutAHandleSaysWhy() {
    Tunings tunings = Tunings.empty().with(winner(16, ELSEWHERE));
    Stream stream = device.stream();
    stream.beginCapture(CaptureMode.RELAXED);
    assertThat(tunings.check(device).get(0).reason())
        .contains("creating one would end the capture of another stream");
    assertThat(stream.captureStatus()).isEqualTo(CaptureStatus.ACTIVE);
    stream.endCapture().close();
  }

  @Test
  void whatIsNoPlainFileIsNeitherReadNorWritten() throws Exception {
    Path place = file.resolveSibling("a-folder");
    Files.createDirectory(place);
    for (Path other : List.of(place, Path.of("/dev/zero"), Path.of("/"))) {
      assertThatThrownBy(() -> Tunings.read(other))
          .hasMessage(other + " is no plain file; name the file of winners");
      assertThatThrownBy(() -> Tunings.empty().write(other))
          .hasMessage(other + " is no plain file; name the file of winners");
    }
    Tunings.requireWritable(place.resolve("not/yet/winners.json"));
    assertThat(place).isEmptyDirectory();
    Path below = Files.writeString(place.resolve("text"), "").resolve("winners.json");
    assertThatThrownBy(() -> Tunings.requireWritable(below))
        .hasMessageStartingWith("the winners cannot be written to " + below + ": ");
  }

  @Test
  void aLinkAndTheModeOfTheFileStay() throws Exception {
    Path real = file.resolveSibling("real.json");
    Files.createSymbolicLink(file, Path.of("real.json")); // to nothing yet
    Tunings.empty().with(winner(16, ELSEWHERE)).write(file);
    assertThat(real).isRegularFile();
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-rw-r--"));
    Tunings.empty().with(winner(32, ELSEWHERE)).write(file);
    assertThat(file).isSymbolicLink();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
        .isEqualTo("rw-rw-r--");
    assertThat(Tunings.read(real).winners()).containsExactly(winner(32, ELSEWHERE));
  }

  @Test
  void anInterruptLosesNoWinner() {
    Thread.currentThread().interrupt();
    try {
      Tunings.empty().with(winner(16, ELSEWHERE)).write(file);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(Tunings.read(file).winners()).hasSize(1);
  }

  @Test
  void aFileThatIsNoneIsRefused() throws Exception {
    assertThatThrownBy(() -> Tunings.read(file))
        .hasMessage("there is no file of winners " + file + "; tune and write one first");
    assertRefused("", "is no file of winners");
    assertRefused("[]", "is no file of winners", "BEGIN_OBJECT");
    assertRefused("{\"format\": 'x'}", "is no file of winners");
    assertRefused("{}", "\"format\" is expected where \"the end\" stands");
    assertRefused("{\"format\": \"else\"}", "\"else\", allowed is \"hiplab tunings\"");
    assertRefused(
        "{\"format\": \"hiplab tunings\", \"version\": 2, \"winners\": []}",
        "\"version\" of the format is 2, this toolkit reads 1");
    assertRefused(
        "{\"format\": \"hiplab tunings\", \"version\": 1, \"winners\": [], \"more\": 1}",
        "\"more\" is unknown; allowed are format, version and winners");
    assertRefused(written() + "{}", file.toString());
    String text = written();
    assertRefused(text.substring(0, text.length() / 2), "is no file of winners");
    Files.write(file, new byte[] {(byte) 0xC3, (byte) 0x28});
    assertThatThrownBy(() -> Tunings.read(file)).hasMessageContaining("no text in UTF-8");
  }

  @Test
  void aWrongEntryIsNamedWithFieldAndValue() throws Exception {
    String text = written();
    String end = "; mend or remove the entry";
    assertRefused(
        text.replace("\"m\": 16", "\"m\": -16"), "entry 1: m is -16, at least 1 is allowed" + end);
    assertRefused(
        text.replace("\"solution\": 12", "\"solution\": -1"),
        "entry 1: solution is -1, at least 0 is allowed" + end);
    assertRefused(
        text.replace("\"workspaceBytes\": 4096", "\"workspaceBytes\": 1048577"),
        "workspaceBytes is 1048577, allowed are 0 to 1048576");
    assertRefused(
        text.replace("\"k\": 64", "\"k\": 6.5"), "\"k\" is 6.5, allowed are whole numbers");
    assertRefused(
        text.replace("\"k\": 64", "\"k\": 99999999999"), "\"k\" is 99999999999, allowed are");
    assertRefused(
        text.replace("\"k\": 64", "\"k\": \"64\""), "\"k\" is \"64\", allowed is a whole number");
    assertRefused(
        text.replace("\"medianMs\": 0.25", "\"medianMs\": -1"), "medianMs is -1.0, allowed are");
    assertRefused(
        text.replace("\"bf16\"", "\"bf17\""),
        "\"type\" is \"bf17\", allowed are f32, f16, bf16, f8");
    assertRefused(
        text.replace("\"NT\"", "\"XT\""), "\"transposes\" is \"XT\", allowed are NN, NT, TN, TT");
    assertRefused(
        text.replace("\"batch\": 1", "\"bunch\": 1"),
        "entry 1: \"bunch\" is unknown; allowed are type, transposes, batch, m,");
    assertRefused(text.replace("\"batch\": 1,", ""), "entry 1: it has no \"batch\"");
    assertRefused(
        text.replace("\"batch\": 1,", "\"batch\": 1, \"batch\": 1,"),
        "\"batch\" stands there twice");
    String entry = text.substring(text.indexOf("    {"), text.indexOf("    }") + 5);
    assertRefused(
        text.replace(entry, entry + ",\n" + entry),
        "entries 1 and 2 are both of bf16 16x16x64 NT on Radeon 8060S (gfx1151)");
  }

  /** Whoever reads while two write has the whole of one of them. */
  @Test
  void aReaderNeverSeesHalfAFile() throws Exception {
    List<Tunings> written = new ArrayList<>();
    for (int count : new int[] {1, 60}) {
      Tunings tunings = Tunings.empty();
      for (int m = 1; m <= count; m++) {
        tunings = tunings.with(winner(m, ELSEWHERE));
      }
      written.add(tunings);
    }
    written.get(0).write(file);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (Tunings tunings : written) {
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 40; i++) {
                    tunings.write(file);
                  }
                }));
      }
      int reads = 0;
      while (reads < 20 || !writers.stream().allMatch(Future::isDone)) {
        assertThat(Tunings.read(file).winners().size()).isIn(1, 60);
        reads++;
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdown();
    }
    try (var left = Files.list(folder)) {
      assertThat(left).as("no drafts").containsExactly(file);
    }
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws Exception {
    Path none = Files.writeString(folder.resolve("none"), "").resolve("winners.json");
    assertThatThrownBy(() -> Tunings.empty().write(none))
        .isInstanceOf(HiplabException.class)
        .hasMessageStartingWith("the winners cannot be written to " + none);
  }

  @Test
  void theTextTellsEachWinner() {
    assertThat(Tunings.empty()).hasToString("no winners");
    assertThat(Tunings.empty().with(winner(16, ELSEWHERE)))
        .hasToString(
            "bf16 16x16x64 NT: solution 12, 0.25 ms, on Radeon 8060S (gfx1151), hipBLASLt 100400,"
                + " HIP 70226015\n");
  }
}
