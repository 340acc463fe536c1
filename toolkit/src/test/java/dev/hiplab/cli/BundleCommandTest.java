package dev.hiplab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.race.Campaign;
import dev.hiplab.race.Misbehaving;
import dev.hiplab.report.bundle.Bundle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** {@code report --bundle}, and {@code report} of a bundle, as a person sees them. */
class BundleCommandTest extends CommandLineTest {
  private Path campaign(String name) {
    Path runs = folder.resolve(name);
    Campaign.of(Misbehaving.Behaves.class).runs(1).driver("host").out(runs).run();
    return runs;
  }

  @Test
  void aBundleIsReportedLikeAFolderAndStandsBesideOne() throws Exception {
    Path runs = campaign("runs");
    Path file = folder.resolve("it.zip");
    String[] write = {"report", runs.toString(), "--bundle", file.toString()};
    assertThat(Main.execute(write)).isZero();
    assertThat(out()).startsWith("wrote " + file).contains("It may tell of this machine");
    assertThat(runs.resolve("report")).doesNotExist();
    assertThat(Main.execute(write)).isEqualTo(Main.USAGE);
    assertThat(err()).contains("is there already; name another file, or add --force");

    out.reset();
    assertThat(Main.execute("report", file.toString())).isZero();
    assertThat(out()).contains("runs in " + file, "wrote " + folder.resolve("it-report"));
    assertThat(folder.resolve("it-report/report.html")).isNotEmptyFile();

    out.reset();
    Path other = campaign("other");
    assertThat(Main.execute("report", file.toString(), other.toString(), "--markdown")).isZero();
    assertThat(out()).startsWith("- **it.zip**: ").contains("| form | way | it.zip | other |");
    assertThat(Main.execute("report", file.toString(), file.toString())).isEqualTo(Main.USAGE);
    assertThat(err()).contains("name each side once");
  }

  @Test
  void whatABundleGivesAwayIsTold() throws Exception {
    Path runs = folder.resolve("cmdc");
    String[] make = {
      "reproduce",
      "--command",
      "true --token=tok_123",
      "--arm",
      "x:env=GITHUB_TOKEN=ghp_abc,env=LIBS=-L/home/bob/lib,env=U=file:/home/bob/y",
      "--runs",
      "1",
      "--out",
      runs.toString()
    };
    assertThat(Main.execute(make)).isZero();
    Path source = Files.createDirectories(runs.resolve("source"));
    Files.writeString(source.resolve("M.java"), "// one\n// see file:///home/eve/m\n");
    Path traces = Files.createDirectories(runs.resolve("traces"));
    Files.writeString(traces.resolve("0.jsonl"), "{\"label\":\"p\\u003d/home/eve/t\"}");
    Files.write(traces.resolve("1.jsonl"), new byte[] {-1, 0, -2});
    out.reset();
    Path file = folder.resolve("it.zip");
    assertThat(Main.execute("report", runs.toString(), "--bundle", file.toString())).isZero();
    String[] told = {
      "holds the command of arm x as it was typed: true --token=tok_123",
      "holds the variables GITHUB_TOKEN, LIBS, U of arm x, with their values",
      "environment env.LIBS: paths in 1 of 1 records, such as /home/bob/lib",
      "environment env.U: paths in 1 of 1 records, such as /home/bob/y",
      "source: paths in 1 of 1 files, such as /home/eve/m",
      "traces: paths in 1 of 2 files, such as /home/eve/t",
      "campaign.json: paths in 1 of 1 files"
    };
    assertThat(out()).contains(told).doesNotContain("ghp_abc");
    try (ZipFile zip = new ZipFile(file.toFile())) {
      byte[] manifest = zip.getInputStream(zip.getEntry("manifest.json")).readAllBytes();
      assertThat(new String(manifest, StandardCharsets.UTF_8)).contains(told);
    }
  }

  @Test
  void aFolderOfCampaignsIsOneBundle() throws Exception {
    campaign("all/a b");
    campaign("all/x/b");
    Path file = folder.resolve("deep/it");
    String all = folder.resolve("all").toString();
    assertThat(Main.execute("report", all, "--bundle", file.toString())).isZero();
    try (Bundle bundle = Bundle.open(file)) {
      assertThat(bundle.folder().resolve("a_b/runs.jsonl")).isNotEmptyFile();
      assertThat(bundle.folder().resolve("x/b/campaign.json")).isNotEmptyFile();
    }
    Path out = folder.resolve("out");
    assertThat(Main.execute("report", file.toString(), "--out", out.toString())).isZero();
    assertThat(out.resolve("x/b/summary.md")).isNotEmptyFile();
    assertThat(Main.execute("report", file.toString())).isZero();
    assertThat(folder.resolve("deep/it-report/a_b/summary.md")).isNotEmptyFile();
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws Exception {
    Path runs = Files.createDirectories(folder.resolve("none"));
    String it = runs.toString();
    String[][] wrong = {
      {"--bundle takes one folder", it, "b", "--bundle", "f"},
      {"--force belongs to --bundle FILE", it, "--force"},
      {"give one of them", it, "--markdown", "--bundle", "f"},
      {"--out is for reports in a folder", it, "--markdown", "--out", "f"},
      {it + " holds no campaign", it, "--bundle", folder.resolve("f").toString()}
    };
    for (String[] each : wrong) {
      String[] arguments = each.clone();
      arguments[0] = "report";
      err.reset();
      assertThat(Main.execute(arguments)).isEqualTo(Main.USAGE);
      assertThat(err()).contains(each[0]);
    }
    assertThat(folder.resolve("f")).doesNotExist();
  }
}
