package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Tunings;
import dev.hiplab.Winner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The verb tune, as a person calls it. */
class TuneCommandTest extends CommandLineTest {
  private int tune(String... arguments) {
    List<String> all = new ArrayList<>(List.of("tune", "--driver", "host", "--profile", "splitk"));
    all.addAll(List.of("--candidates", "3", "--repetitions", "2", "--bound-ms", "60000"));
    all.addAll(List.of(arguments));
    return Main.execute(all.toArray(String[]::new));
  }

  @Test
  void winnersAreKeptBesideThoseThatAreThereAndChecked() {
    Path file = folder.resolve("winners.json");
    assertThat(tune("bf16 32x32x128 NT", "f16 2x16x16x64 nn", "--file", "" + file)).isZero();
    assertThat(out().lines().findFirst().orElse("")).startsWith("host: software device, profile ");
    assertThat(out())
        .contains("bf16 32x32x128 NT on ", "f16 2x16x16x64 NN on ", "median ms")
        .endsWith("2 winners in " + file + "\n");
    assertThat(tune("bf16 16x16x16 NT", "--file", "" + file)).isZero();
    assertThat(out()).endsWith("3 winners in " + file + "\n");
    assertThat(Tunings.read(file).winners())
        .extracting(Winner::shape)
        .containsExactly("bf16 16x16x16 NT", "bf16 32x32x128 NT", "f16 2x16x16x64 NN");
    out.reset();
    assertThat(tune("--check", "" + file)).isZero();
    assertThat(out()).contains("usable      bf16 16x16x16 NT: solution ");
    assertThat(out()).endsWith("3 of 3 winners of this device can be used\n");
  }

  @Test
  void aWinnerOfAnotherVersionIsTold() throws Exception {
    Path file = folder.resolve("winners.json");
    assertThat(tune("bf16 16x16x16 NT", "--file", "" + file)).isZero();
    Files.writeString(file, Files.readString(file).replace("\"100100\"", "\"100400\""));
    out.reset();
    assertThat(tune("--check", "" + file)).isEqualTo(1);
    assertThat(out())
        .contains("elsewhere   bf16 16x16x16 NT: ")
        .contains(": it was tuned with hipBLASLt version 100400, here 100100; an index counts only")
        .endsWith(
            "no winner of this device, profile and versions; 1 winner of another: tune on this"
                + " device\n");
  }

  /** Shared between machines: only what is of this one decides. */
  @Test
  void aFileOfSeveralDevicesIsAGateForEachOfThem() throws Exception {
    Path file = folder.resolve("winners.json");
    assertThat(tune("bf16 16x16x16 NT", "--file", "" + file)).isZero();
    assertThat(out()).endsWith("1 winner in " + file + "\n");
    Files.writeString(file, Files.readString(file).replace("\"100100\"", "\"100400\""));
    assertThat(tune("bf16 16x16x16 NT", "--file", "" + file)).isZero();
    out.reset();
    assertThat(tune("--check", "" + file)).isZero();
    assertThat(out())
        .contains("usable      bf16 16x16x16 NT: ", "elsewhere   bf16 16x16x16 NT: ")
        .endsWith(
            "1 of 1 winner of this device can be used; 1 winner of another device, profile or"
                + " version\n");
    String text = Files.readString(file);
    int own = text.indexOf("\"solution\": ");
    Files.writeString(
        file, text.substring(0, own) + "\"solution\": 99" + text.substring(own + 12).trim());
    out.reset();
    assertThat(tune("--check", "" + file)).isEqualTo(1);
    assertThat(out())
        .contains("not usable  bf16 16x16x16 NT: ", "the heuristic does not offer solution 99")
        .contains("0 of 1 winner of this device can be used; 1 winner of another device");
  }

  @Test
  void anEmptyFileIsNoGate() throws Exception {
    Path file = Tunings.empty().write(folder.resolve("winners.json"));
    assertThat(tune("--check", "" + file)).isEqualTo(1);
    assertThat(out()).endsWith("no winners in " + file + ": tune with --file to keep one\n");
  }

  @Test
  void aWrongFileIsToldBeforeAnythingIsMeasured() throws Exception {
    Path file = Files.writeString(folder.resolve("winners.json"), "{");
    assertThat(tune("bf16 16x16x16 NT", "--file", "" + file)).isEqualTo(Main.USAGE);
    assertThat(err()).contains("hiplab: " + file + " is no file of winners");
    assertThat(out()).isEmpty();
    assertThat(file).hasContent("{");
  }

  @Test
  void misuseIsOneSentence() {
    assertThat(tune()).isEqualTo(Main.USAGE);
    assertThat(err()).contains("tune needs shapes such as \"bf16 64x64x2048 NT\", or --check FILE");
    assertThat(tune("bf16 1x1x1 NT", "--check", "x")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--check FILE goes without shapes and --file");
    assertThat(tune("bf17 1x1x1 NT")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("has no element type 'bf17'; there are [f32, f16, bf16, f8]");
    assertThat(tune("bf16 1x1 NT")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("the shape 'bf16 1x1 NT' has sizes '1x1' that are not m, n and k");
    assertThat(Main.execute("tune", "bf16 1x1x1 NT", "--bound-ms", "-1")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--bound-ms is -1.0, allowed are 0.001 to 3600000");
    assertThat(tune("f32 16x16x16 NN")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("GEMMs of f32 take rocBLAS in this backend (mlxcel 2200)");
    assertThat(tune("bf16 16x16x16 NN", "--cap-mib", "33")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--cap-mib is 33, allowed are 0 to 32");
  }
}
