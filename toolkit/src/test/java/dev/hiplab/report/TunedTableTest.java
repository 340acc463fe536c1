package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.Candidate;
import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.TuneOptions;
import dev.hiplab.TuneResult;
import dev.hiplab.Tuned;
import dev.hiplab.TunedOn;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tech.tablesaw.api.Table;

class TunedTableTest {
  private static final String SHAPE = "bf16 16x16x64 NT";
  private static final List<Tuned> ROWS =
      List.of(
          new Tuned(new Candidate(SHAPE, 0, 64, 1, 7, "one"), 0.5, 0.25, 0.75, true, ""),
          new Tuned(new Candidate(SHAPE, 2, 0, 1, 8, "two"), 0.875, 0.75, 1, false, ""),
          new Tuned(new Candidate(SHAPE, 3, 0, 1, 9, "three"), 1.5, 1.25, 2, false, ""),
          new Tuned(
              new Candidate(SHAPE, 1, 0, 1, -1, ""),
              Double.NaN,
              Double.NaN,
              Double.NaN,
              false,
              "over its bound of 250 ms: abandoned in its warm-up"));
  private static final TuneResult RESULT =
      new TuneResult(
          DType.BF16,
          Gemm.NT,
          16,
          16,
          64,
          "Device 0",
          new TunedOn("rocm", "", "gfx1151", "Radeon 8060S", "70226015", "100400"),
          TuneOptions.DEFAULTS,
          ROWS,
          Duration.ofMillis(1250));

  @Test
  void aRowACandidateAndWhatThereIsNotIsMissing() {
    Table table = TunedTable.of(RESULT);
    assertThat(table.name())
        .isEqualTo(SHAPE + " on Radeon 8060S (gfx1151), hipBLASLt 100400, HIP 70226015");
    assertThat(Tables.csv(table))
        .isEqualTo(
            "shape,candidate,solution,median ms,lower quartile ms,upper quartile ms,workspace bytes,chosen,skipped,name\n"
                + SHAPE
                + ",0,7,0.5,0.25,0.75,64,true,,one\n"
                + SHAPE
                + ",2,8,0.875,0.75,1.0,0,false,,two\n"
                + SHAPE
                + ",3,9,1.5,1.25,2.0,0,false,,three\n"
                + SHAPE
                + ",1,,,,,0,false,over its bound of 250 ms: abandoned in its warm-up,\n");
  }

  @Test
  void aResultIsItsTable() {
    Map<String, Object> rendered = Renderings.of(RESULT);
    assertThat(rendered.get("text/plain").toString())
        .isEqualTo(
            SHAPE
                + " on Radeon 8060S (gfx1151), hipBLASLt 100400, HIP 70226015: 4 candidates, 7"
                + " repetitions, bound 250 ms each, in 1.25 s\n"
                + "   candidate  solution  median ms  quartiles ms  workspace bytes  name, or why not"
                + " measured\n"
                + "*          0         7        0.5  0.25 to 0.75               64  one\n"
                + "           2         8      0.875     0.75 to 1                0  two\n"
                + "           3         9        1.5     1.25 to 2                0  three\n"
                + "           1                    -             -                0  over its bound"
                + " of 250 ms: abandoned in its warm-up\n"
                + "* is the fastest, and 1 other is as fast within the spread\n");
    assertThat(RESULT.asFast()).isEqualTo(2);
    assertThat(rendered.get("text/html").toString()).contains("<td", "abandoned in its warm-up");
    assertThat(Renderings.of(ROWS).get("text/html").toString()).contains("abandoned");
    assertThat(Renderings.REGISTERED).containsKey("dev.hiplab.TuneResult");
  }
}
