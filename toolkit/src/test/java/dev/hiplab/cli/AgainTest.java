package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.Commands;
import dev.hiplab.race.RunLog;
import dev.hiplab.race.RunRecord;
import dev.hiplab.race.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code reproduce --from}: another reviewer runs again what a bundle holds. */
class AgainTest extends CommandLineTest {
  private String bundle(Path campaign) {
    Path file = folder.resolve("it.zip");
    assertThat(Main.execute("report", campaign.toString(), "--bundle", file.toString())).isZero();
    out.reset();
    return file.toString();
  }

  private int again(String file, String... more) {
    err.reset();
    List<String> arguments = new ArrayList<>(List.of("reproduce", "--from", file));
    arguments.addAll(List.of(more));
    return Main.execute(arguments.toArray(new String[0]));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void aBundledCampaignRunsAgainWithItsSettings() throws Exception {
    Path first = folder.resolve("first");
    String[] make = {
      "reproduce",
      "rocblas.first-gemm",
      "--runs",
      "1",
      "--way",
      "natural",
      "--seed",
      "7",
      "--driver",
      "host",
      "--profile",
      "gfx1151",
      "--out",
      first.toString()
    };
    assertThat(Main.execute(make)).isZero();
    String file = bundle(first);
    assertThat(again(file, "--out", path("second"))).isZero();
    assertThat(Settings.in(folder.resolve("second"))).isEqualTo(Settings.in(first));
    List<RunRecord> runs = RunLog.read(folder.resolve("second"));
    assertThat(runs).extracting(RunRecord::form).containsExactly("FILED", "FIXED", "PER_THREAD");
    assertThat(runs).allMatch(run -> run.seed() == 7 && run.profile().equals("gfx1151"));
    assertThat(out())
        .startsWith("again: java -jar toolkit.jar reproduce rocblas.first-gemm --way natural")
        .endsWith("report " + file + " " + path("second") + "\n");

    assertThat(again(file, "--out", path("splitk"), "--profile", "splitk", "--runs", "2")).isZero();
    assertThat(RunLog.read(folder.resolve("splitk")))
        .hasSize(6)
        .allMatch(run -> run.profile().equals("splitk"));
    assertThat(Main.execute("report", file, path("second"), "--markdown")).isZero();
    assertThat(out()).contains("| form | way | it.zip | second |");
  }

  @Test
  void aScenarioFromSourceRunsOnlyWhenItIsTrusted() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "own-scenarios.md"));
    String after = page.substring(page.indexOf("run by OwnScenarioTest"));
    int begin = after.indexOf("```java") + "```java".length();
    String source = after.substring(begin, after.indexOf("```", begin));
    Campaign.ofSource(source)
        .ways("natural")
        .forms("FIXED")
        .runs(1)
        .driver("host")
        .out(folder.resolve("own"))
        .run();
    String file = bundle(folder.resolve("own"));
    assertThat(again(file, "--out", path("no"))).isEqualTo(Main.USAGE);
    assertThat(err()).contains(file + " brings code of its own").contains("--trust");
    assertThat(out()).contains("  runs the source source/Mine.java, ");
    assertThat(folder.resolve("no")).doesNotExist();

    // The folder that it was made in may be gone.
    Files.move(folder.resolve("own"), folder.resolve("moved"));
    assertThat(again(file, "--trust", "--out", path("yes"))).isZero();
    RunRecord run = RunLog.read(folder.resolve("yes")).get(0);
    assertThat(run.command()).contains(path("yes") + "/source/Mine.java");
    assertThat(folder.resolve("yes/source/Mine.java")).content().isEqualTo(source);
    assertThat(again(file, "--trust", "--out", path("yes"), "--resume")).isZero();
  }

  @Test
  void aCommandRunsOnlyWhenItIsTrustedAndWhereItIsTold() throws Exception {
    Path there = Files.createDirectories(folder.resolve("there"));
    Commands.of("pwd; exit $N")
        .name("mine")
        .arm("a", there, Map.of("N", "0"))
        .arm("b", there, Map.of("N", "3"))
        .runs(1)
        .out(folder.resolve("runs"))
        .run();
    String file = bundle(folder.resolve("runs"));
    Files.delete(there);
    assertThat(again(file, "--out", path("no"))).isEqualTo(Main.USAGE);
    assertThat(out())
        .contains("  runs in " + there + " (a): pwd; exit $N\n    with N=0\n")
        .contains(" (b): pwd; exit $N\n    with N=3\n");
    assertThat(again(file, "--trust", "--out", path("no"))).isEqualTo(Main.USAGE);
    assertThat(err()).contains("the folder of arm 'a', " + there + ", is not there");
    Path here = Files.createDirectories(folder.resolve("here"));
    String[] moved = {
      "--trust", "--out", path("yes"), "--arm", "a:dir=" + here, "--arm", "b:dir=" + here
    };
    assertThat(again(file, moved)).isZero();
    List<RunRecord> runs = RunLog.read(folder.resolve("yes"));
    assertThat(runs).extracting(RunRecord::exitCode).containsExactly(0, 3);
    assertThat(runs.get(1).environment()).containsEntry("folder", here.toString());
    assertThat(again(file, "--trust", "--out", path("no"), "--arm", "c:dir=" + here))
        .isEqualTo(Main.USAGE);
    assertThat(err()).contains("the campaign has no arm 'c'; it has a, b");
    assertThat(again(file, "--trust", "--arm", "a:env=N=1")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("an arm keeps what it runs; say --arm a:dir=FOLDER");
    assertThat(again(file, "--trust", "--driver", "host")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--driver belongs to scenarios");
    assertThat(folder.resolve("no")).doesNotExist();
  }

  @Test
  void whatWouldMakeItAnotherCampaignIsRefused() throws Exception {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    assertThat(again(empty.toString())).isEqualTo(Main.USAGE);
    assertThat(err()).contains(empty + " holds no campaign; give a bundle");
    assertThat(again(empty.toString(), "--seed", "3")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--seed would make another campaign");
    assertThat(again(empty.toString(), "2198")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--from FILE brings its scenarios; leave out 2198");
    err.reset();
    assertThat(Main.execute("reproduce", "2198", "--trust")).isEqualTo(Main.USAGE);
    assertThat(err()).contains("--trust belongs to --from FILE");
    Path log = Files.createDirectories(folder.resolve("lambda"));
    Campaign.of("rocblas.first-gemm")
        .ways("natural")
        .forms("FIXED")
        .runs(1)
        .driver("host")
        .out(log)
        .run();
    Files.delete(log.resolve("campaign.json"));
    assertThat(again(log.toString())).isEqualTo(Main.USAGE);
    assertThat(err()).contains(log + " cannot be run again: it has no campaign.json");
  }
}
