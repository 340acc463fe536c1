package dev.hiplab.report.bundle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.HiplabException;
import dev.hiplab.race.Campaign;
import dev.hiplab.report.CampaignRuns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives that were made here, and archives that came from elsewhere. */
class BundleTest {
  @TempDir static Path made;
  @TempDir Path folder;

  private static CampaignRuns runs;
  private static Path campaign;

  @BeforeAll
  static void aRealCampaign() throws Exception {
    campaign = made.resolve("campaign");
    Campaign.of("rocblas.first-gemm")
        .ways("natural")
        .forms("FIXED")
        .runs(1)
        .driver("host")
        .out(campaign)
        .run();
    Files.writeString(
        Files.createDirectories(campaign.resolve("traces/a")).resolve("0.json"), "{}");
    Files.writeString(Files.createDirectories(campaign.resolve("source")).resolve("M.java"), "m");
    Files.writeString(Files.createDirectories(campaign.resolve("output")).resolve("o.txt"), "no");
    Files.createSymbolicLink(campaign.resolve("traces/link"), Path.of("/etc/passwd"));
    runs = CampaignRuns.read("c", List.of(campaign));
  }

  @AfterAll
  static void nothingIsLeftUnpacked() throws Exception {
    assertThat(leftovers()).isEmpty();
  }

  /** Folders of this process in the temporary folder that hold a bundle. */
  private static List<Path> leftovers() throws IOException {
    try (var all =
        Files.newDirectoryStream(Path.of(System.getProperty("java.io.tmpdir")), "hiplab-*")) {
      List<Path> left = new ArrayList<>();
      all.forEach(path -> left.add(path));
      left.removeIf(path -> !Files.isDirectory(path.resolve("bundle")));
      return left;
    }
  }

  private Path write() throws IOException {
    Path archive = folder.resolve("one.bundle");
    BundleWriter.write(archive, Map.of("campaign", campaign), runs, false);
    return archive;
  }

  @Test
  void aBundleHoldsTheCampaignItsReportAndSums() throws Exception {
    Path archive = write();
    List<String> names = new ArrayList<>();
    BundleManifest manifest;
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      zip.stream().forEach(entry -> names.add(entry.getName()));
      byte[] text = zip.getInputStream(zip.getEntry("manifest.json")).readAllBytes();
      manifest = BundleManifest.fromJson(new String(text, UTF_8));
      String readme =
          new String(zip.getInputStream(zip.getEntry("README.md")).readAllBytes(), UTF_8);
      assertThat(readme).contains("reproduce --from one.bundle", "may tell of the machine");
    }
    assertThat(names)
        .containsExactly(
            "README.md",
            "report.html",
            "summary.md",
            "campaign/campaign.json",
            "campaign/runs.jsonl",
            "campaign/source/M.java",
            "campaign/traces/a/0.json",
            "manifest.json");
    assertThat(manifest.files()).hasSize(names.size() - 1);
    assertThat(manifest.commands()).singleElement().asString().contains("first-gemm");
    assertThat(manifest.machine()).anyMatch(line -> line.startsWith("environment: device"));
    try (var beside = Files.list(folder)) {
      assertThat(beside).containsExactly(archive);
    }
  }

  @Test
  void whatWasBundledIsOpenedAsItWas() throws Exception {
    Path archive = write();
    assertThat(Bundle.is(archive)).isTrue();
    assertThat(Bundle.is(campaign.resolve("runs.jsonl"))).isFalse();
    assertThat(Bundle.is(campaign)).isFalse();
    Path unpacked;
    try (Bundle bundle = Bundle.open(archive)) {
      unpacked = bundle.folder();
      assertThat(Files.readAllBytes(unpacked.resolve("campaign/runs.jsonl")))
          .isEqualTo(Files.readAllBytes(campaign.resolve("runs.jsonl")));
      assertThat(Files.getPosixFilePermissions(unpacked.getParent())).hasSize(3); // rwx------
    }
    assertThat(unpacked.getParent()).doesNotExist();
  }

  @Test
  void aFileThatIsThereStaysUnlessItIsToGo() throws Exception {
    Path archive = Files.writeString(folder.resolve("one.bundle"), "mine");
    assertThatThrownBy(this::write)
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("is there already; name another file, or add --force");
    assertThat(archive).hasContent("mine");
    BundleWriter.write(archive, Map.of("campaign", campaign), runs, true);
    assertThat(Bundle.is(archive)).isTrue();
    assertThatThrownBy(() -> BundleWriter.write(folder, Map.of(), runs, true))
        .hasMessageContaining("is a folder; name a file");
  }

  @Test
  void whatStopsTheWritingLeavesNoFile() throws Exception {
    Path archive = folder.resolve("half");
    Map<String, Path> unreadable = Map.of("campaign/x", Path.of("/proc/self/mem")); // EIO
    assertThatThrownBy(() -> BundleWriter.pack(archive, unreadable, runs, false))
        .hasMessageStartingWith("the bundle could not be written to " + archive);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void partsOfOtherWritersStayUntilTheyAreOld() throws Exception {
    long process = ProcessHandle.current().pid();
    Path mine = Files.writeString(folder.resolve(".one.bundle-" + process + ".part"), "another's");
    Path old = Files.writeString(folder.resolve(".one.bundle-0a1b.part"), "left");
    Path other = Files.writeString(folder.resolve(".one.bundle-2-0a1b.part"), "of one.bundle-2");
    FileTime then = FileTime.from(Instant.now().minus(Duration.ofDays(2)));
    Files.setLastModifiedTime(old, then);
    Files.setLastModifiedTime(other, then);
    Path archive = write();
    assertThat(mine).hasContent("another's");
    try (var beside = Files.list(folder)) {
      assertThat(beside).containsExactlyInAnyOrder(archive, mine, other);
    }
  }

  @Test
  void aFileThatGrowsWhileItIsUnpackedStopsAtItsSize() throws Exception {
    Path archive = forged(files -> files.put("c/zeros", new byte[8 << 20]));
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
        files.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    String manifest = new String(files.get("manifest.json"), UTF_8);
    files.put("manifest.json", manifest.replace("" + (8 << 20), "1000").getBytes(UTF_8));
    zip(archive, files);
    Path target = folder.resolve("target");
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      BundleManifest.File small = new BundleManifest.File("c/zeros", 1000, "00");
      assertThatThrownBy(() -> Bundle.unpack(archive, zip, small, target))
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("damaged or was changed");
    }
    assertThat(Files.size(target)).isBetween(1L, 1L << 17);
    assertRefused(archive, "damaged or was changed");
  }

  private interface Entries {
    void put(Map<String, byte[]> files);
  }

  /** An archive with a true manifest over what {@code entries} makes of a bundle's files. */
  private Path forged(Entries entries) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("c/runs.jsonl", "\n".getBytes(UTF_8));
    entries.put(files);
    ByteArrayOutputStream unused = new ByteArrayOutputStream();
    BundleEntries sums = new BundleEntries(new ZipOutputStream(unused));
    Path archive = folder.resolve("forged");
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      sums.add(file.getKey(), new String(file.getValue(), UTF_8));
    }
    BundleManifest manifest = new BundleManifest("1", "now", List.of(), List.of(), sums.written());
    files.put("manifest.json", manifest.toJson().getBytes(UTF_8));
    zip(archive, files);
    return archive;
  }

  private static void zip(Path archive, Map<String, byte[]> files) throws IOException {
    try (OutputStream out = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(out, UTF_8)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
        zip.closeEntry();
      }
    }
  }

  private static void assertRefused(Path archive, String why) throws IOException {
    assertThatThrownBy(() -> Bundle.open(archive).close())
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining(archive.toString())
        .hasMessageContaining(why);
    assertThat(leftovers()).isEmpty();
  }

  @Test
  void aNameThatLeadsOutIsRefusedBeforeAnythingIsWritten() throws Exception {
    for (String name :
        List.of(
            "../bundle-x",
            "a/../../bundle-x",
            "/tmp/bundle-x",
            "a//x",
            "a/./x",
            "..",
            "c:x",
            "a\\..\\x",
            "a/\u0001x")) {
      assertThat(BundleNames.isPlain(name)).as(name).isFalse();
      assertRefused(forged(files -> files.put(name, new byte[1])), "which no bundle has");
    }
    assertThat(folder.resolveSibling("bundle-x")).doesNotExist();
    assertRefused(forged(files -> files.put("c", new byte[1])), "as a file and as a folder");
  }

  @Test
  void twoFilesOfOneNameAreRefused() throws Exception {
    // ZipOutputStream makes no duplicates: rename the other one in both of its headers.
    Path twins = forged(files -> files.put("c/runs.jsonL", "b".getBytes(UTF_8)));
    String text = new String(Files.readAllBytes(twins), ISO_8859_1);
    String same = text.replace("c/runs.jsonL", "c/runs.jsonl");
    Files.write(twins, same.getBytes(ISO_8859_1));
    assertRefused(twins, "two files named 'c/runs.jsonl'");
  }

  @Test
  void aChangedFileIsTold() throws Exception {
    Path archive = forged(files -> files.put("c/a", "true".getBytes(UTF_8)));
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
        files.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    files.put("c/a", "lies".getBytes(UTF_8));
    zip(archive, files);
    assertRefused(archive, "c/a is not the file whose SHA-256 its manifest has");
    files.put("c/a", "true, and more".getBytes(UTF_8));
    zip(archive, files);
    assertRefused(archive, "damaged or was changed");
    files.put("c/more", new byte[0]);
    zip(archive, files);
    assertRefused(archive, "'c/more', which it does not list");
    files.keySet().removeAll(List.of("c/more", "c/a"));
    zip(archive, files);
    assertRefused(archive, "no file 'c/a', which it lists");
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItIsUnpacked() throws Exception {
    Path archive = forged(files -> files.put("c/zeros", new byte[1 << 20]));
    assertThat(Files.size(archive)).isLessThan(1 << 16);
    assertThatThrownBy(() -> Bundle.open(archive, 1 << 19))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("more than 524288 bytes");
    assertThat(leftovers()).isEmpty();
  }

  @Test
  void whatIsNoBundleIsNamed() throws Exception {
    Path zip = folder.resolve("zip");
    zip(zip, Map.of("a", new byte[1]));
    assertRefused(zip, "has no manifest.json: it is not what report --bundle writes");
    zip(zip, Map.of("manifest.json", "{\"format\": \"hiplab bundle 9\"}".getBytes(UTF_8)));
    assertRefused(zip, "its format is 'hiplab bundle 9'");
    zip(zip, Map.of("manifest.json", "[]".getBytes(UTF_8)));
    assertRefused(zip, "cannot be read");
    Files.write(zip, "PK\3\4 torn".getBytes(UTF_8));
    assertRefused(zip, "is no archive that can be read");
  }

  @Test
  void anEntryThatIsALinkBecomesAPlainFile() throws Exception {
    Path archive = forged(files -> files.put("c/link", "/etc/passwd".getBytes(UTF_8)));
    byte[] bytes = Files.readAllBytes(archive);
    int at = lastHeader(bytes, "c/link");
    bytes[at + 5] = 3; // made by Unix: the attributes' upper half is st_mode
    bytes[at + 40] = 0;
    bytes[at + 41] = (byte) 0xA0; // S_IFLNK
    Files.write(archive, bytes);
    try (Bundle bundle = Bundle.open(archive)) {
      Path link = bundle.folder().resolve("c/link");
      assertThat(Files.isSymbolicLink(link)).isFalse();
      assertThat(link).hasContent("/etc/passwd");
    }
  }

  /** Where the central directory speaks of a file: 46 bytes before its name. */
  private static int lastHeader(byte[] bytes, String name) {
    String hex = HexFormat.of().formatHex(bytes);
    int at = hex.lastIndexOf(HexFormat.of().formatHex(name.getBytes(UTF_8))) / 2;
    // The name stands in the manifest's text only compressed.
    return at - 46;
  }
}
