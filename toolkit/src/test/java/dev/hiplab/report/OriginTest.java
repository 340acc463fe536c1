package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.RunRecord;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The line below the title of every figure. */
class OriginTest {
  private static RunRecord run(Map<String, String> environment) {
    return Sample.run("FIXED", 0, Outcome.EXACT, Grade.EXPECTED, 9).withEnvironment(environment);
  }

  @Test
  void everyValueOfRunsThatDifferIsTold() {
    Map<String, String> one =
        Map.of("device", "card a", "driver", "rocm", "profile", "splitk", "version.java", "17.0.1");
    Map<String, String> two =
        Map.of(
            "device", "card b", "driver", "host", "profile", "gfx1151", "version.java", "25+36-x");
    assertThat(Origin.of(List.of(run(one), run(two), run(one))))
        .isEqualTo(
            "card a / card b · profile splitk / gfx1151 · driver rocm / host · Java 17.0.1 / 25");
  }

  @Test
  void librariesAreToldOfDriversThatHaveTheirMakers() {
    Map<String, String> versions = Map.of("version.hipblaslt", "0.10", "version.rocblas", "4.2");
    assertThat(Origin.of(List.of(run(with(versions, "driver", "rocm")))))
        .isEqualTo("driver rocm · hipBLASLt 0.10 · rocBLAS 4.2");
    assertThat(Origin.of(List.of(run(with(versions, "driver", "host"))))).isEqualTo("driver host");
  }

  @Test
  void aCommandStandsForADevice() {
    assertThat(Origin.of(List.of(run(Map.of("command", "./a", "driver", "command")))))
        .isEqualTo("./a · driver command");
  }

  private static Map<String, String> with(Map<String, String> all, String key, String value) {
    Map<String, String> more = new HashMap<>(all);
    more.put(key, value);
    return more;
  }
}
