package dev.hiplab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines made up, each with one trouble: it is told, with its step, and counted. */
class DiagnosisTest {
  @TempDir Path folder;

  private final Map<String, String> facts = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> properties = new HashMap<>();
  private boolean rocmWanted;

  /** A whole machine without a GPU. */
  @BeforeEach
  void wholeMachine() {
    for (String part : List.of("hip", "hiprtc", "rocblas", "hipblaslt")) {
      missing(part);
    }
    fact("user", "ada");
    fact("kfd.path", "/dev/kfd");
    fact("kfd.there", "0");
    fact("kfd.trouble", "no /dev/kfd, and no AMD GPU on the PCI bus");
    fact("kfd.step", "use the software device here");
    fact("render.folder", "/dev/dri");
    fact("topology.folder", "/sys/topology");
    fact("verdict.usable", "0");
    fact("natives.cache", "/home/ada/.cache");
    fact("natives.folder", "/home/ada/.cache/hiplab/1");
    fact("openblas.version", "0.3.31");
    fact("compiler.command", "/usr/bin/c++");
    fact("run.gemm", "1");
    fact("run.provider", "host");
    properties.put("java.version", "17.0.15");
    properties.put("java.specification.version", "17");
    properties.put("java.vendor", "Debian");
    properties.put("java.home", "/jdk");
    properties.put("os.name", "Linux");
    properties.put("os.arch", "amd64");
    properties.put("java.io.tmpdir", folder.toString());
    environment.put("TMPDIR", folder.toString());
  }

  /** The same with a card that works. */
  private void card(String arch) {
    facts.keySet().removeIf(key -> key.startsWith("kfd."));
    fact("kfd.path", "/dev/kfd");
    fact("kfd.there", "1");
    fact("kfd.opens", "1");
    fact("kfd.owner", "root");
    fact("kfd.group", "render");
    fact("kfd.mode", "0660");
    fact("kfd.member", "1");
    fact("render.0.path", "/dev/dri/renderD128");
    fact("gpu.0.node", "1");
    fact("gpu.0.arch", arch);
    for (String part : List.of("hip", "hiprtc", "rocblas", "hipblaslt")) {
      whole(part);
    }
    fact("hip.devices", "1");
    fact("device.0.name", "a card");
    fact("device.0.arch", arch);
    fact("verdict.usable", "1");
    fact("run.provider", "rocm");
  }

  private void fact(String key, String value) {
    facts.put(key, value);
  }

  private void missing(String part) {
    fact(part + ".state", "missing");
    fact(part + ".tried", "/opt/rocm/lib");
    fact(part + ".trouble", part + " not found (tried /opt/rocm/lib)");
    fact(part + ".step", "install it");
  }

  private void whole(String part) {
    facts.keySet().removeIf(key -> key.startsWith(part + "."));
    fact(part + ".state", "whole");
    fact(part + ".path", "/opt/rocm/lib/lib" + part + ".so.6.4.43484");
    fact(part + ".soname", "lib" + part + ".so.6");
    fact(part + ".fileVersion", "6.4.43484");
  }

  private Diagnosis diagnosis() {
    Box box =
        new Box(environment, properties, folder.resolve("mounts"), new Facts(facts), rocmWanted);
    return Diagnosis.of(box, List.of());
  }

  private List<Check> troubles() {
    return diagnosis().sections().stream()
        .flatMap(section -> section.checks().stream())
        .filter(check -> check.level() == Level.TROUBLE)
        .toList();
  }

  private void assertOneTrouble(String text, String step) {
    assertThat(troubles()).as(text()).hasSize(1);
    assertThat(troubles().get(0).text()).contains(text);
    assertThat(troubles().get(0).step()).contains(step);
    assertThat(diagnosis().conclusion()).startsWith("1 trouble; ");
  }

  private String text() {
    return String.join("\n", DoctorText.lines("first", diagnosis()));
  }

  @Test
  void aMachineWithoutAGpuHasNoTrouble() {
    assertThat(troubles()).isEmpty();
    assertThat(diagnosis().conclusion())
        .isEqualTo("no trouble; hiplab runs on the software device");
    assertThat(diagnosis().healthy()).isTrue();
    assertThat(text()).contains("none of libamdhip64, libhiprtc, librocblas, libhipblaslt");
  }

  @Test
  void withoutAGpuRocmIsMissedOnlyByWhoAsksForIt() {
    rocmWanted = true;
    assertThat(diagnosis().healthy()).isFalse();
    assertThat(troubles()).hasSize(5); // the node and four libraries
    assertThat(diagnosis().conclusion()).endsWith("on the software device, and not on ROCm");
  }

  @Test
  void aCardThatWorks() {
    card("gfx1201");
    rocmWanted = true;
    assertThat(troubles()).as(text()).isEmpty();
    assertThat(diagnosis().healthy()).isTrue();
    assertThat(diagnosis().conclusion()).isEqualTo("no trouble; hiplab runs on ROCm");
    assertThat(text())
        .contains("version untold, 6.4.43484 as its file is named")
        .contains("/dev/kfd opens (owner root, group render, mode 0660, this user is in the group)")
        .contains("HIP has 1 device(s): a card (gfx1201)");
  }

  @Test
  void aNodeThatThisUserMayNotOpen() {
    card("gfx1201");
    fact("kfd.trouble", "no permission to open /dev/kfd");
    fact("kfd.step", "sudo usermod -aG render ada");
    assertOneTrouble("no permission to open /dev/kfd", "usermod -aG render ada");
  }

  @Test
  void noRenderNode() {
    card("gfx1201");
    facts.remove("render.0.path");
    assertOneTrouble("no render node renderD* in /dev/dri", "--device=/dev/dri");
  }

  @Test
  void aLibraryThatDoesNotLoad() {
    fact("hip.state", "broken");
    fact("hip.trouble", "libamdhip64 is there and does not load (GLIBC_2.38)");
    fact("hip.step", "install a ROCm for this release");
    assertOneTrouble("does not load (GLIBC_2.38)", "install a ROCm for this release");
  }

  @Test
  void aLibraryThatIsMissingThoughThereIsACard() {
    card("gfx1201");
    missing("hipblaslt");
    assertOneTrouble("hipblaslt not found", "install it");
  }

  @Test
  void aLibraryThatEndedItsProcess() {
    card("gfx1201");
    facts.keySet().removeIf(key -> key.startsWith("rocblas."));
    fact("rocblas.crash", "SIGABRT in librocblas.so.4+0x10 init");
    assertOneTrouble("SIGABRT in librocblas.so.4+0x10 init", "install that library again");
  }

  @Test
  void kernelsThatTheCardDoesNotHave() {
    card("gfx1151");
    fact("rocblas.kernels.folder", "/usr/lib/rocblas/4.4.1/library");
    fact("rocblas.kernels.archs", "gfx90a, gfx1100");
    fact("rocblas.kernels.gfx90a", "102");
    fact("hipblaslt.kernels.folder", "/usr/lib/hipblaslt/library");
    fact("hipblaslt.kernels.archs", "gfx1151");
    fact("hipblaslt.kernels.gfx1151", "95");
    assertOneTrouble("rocblas has no kernels for gfx1151", "install a rocblas with kernels for");
    assertThat(text()).contains("hipblaslt has kernels for gfx1151 (95 files");
  }

  @Test
  void aDeviceThatHipDoesNotFind() {
    card("gfx1151");
    fact("hip.devices", "0");
    fact("verdict.usable", "0");
    fact("hip.device.trouble", "HIP finds no device: hidden by HIP_VISIBLE_DEVICES=\"-1\"");
    fact("hip.device.step", "unset it");
    environment.put("HIP_VISIBLE_DEVICES", "-1");
    assertOneTrouble("hidden by HIP_VISIBLE_DEVICES", "unset it");
    assertThat(text()).contains("NOTE     HIP_VISIBLE_DEVICES=-1");
  }

  @Test
  void aFirstGemmThatEndsItsProcess() {
    card("gfx1201");
    facts.remove("run.gemm");
    fact("run.crash", "SIGABRT in librocblas.so.5+0x10 init");
    assertOneTrouble("a first GEMM ended its process: SIGABRT", "HIPLAB_DRIVER=host");
    assertThat(diagnosis().healthy()).isFalse();
    environment.put("HIPLAB_DRIVER", "rocm");
    assertOneTrouble("a first GEMM ended its process: SIGABRT", "install ROCm's libraries again");
  }

  @Test
  void whoInsistsOnRocmGetsWhatMakesItWorkAndEachFaultOnce() {
    String refusal = "driver rocm was asked for and is not usable: no /dev/kfd";
    facts.remove("run.gemm");
    fact("run.error", refusal);
    environment.put("HIPLAB_DRIVER", "rocm");
    assertThat(troubles()).hasSize(5).as(text()); // the node and four libraries
    assertThat(text())
        .contains("NOTE     driver rocm was asked for, which is not usable for what stands above")
        .doesNotContain(refusal, "unset HIPLAB_DRIVER");
    assertThat(diagnosis().healthy()).isFalse();
    assertThat(diagnosis().conclusion())
        .isEqualTo("5 troubles; hiplab does not run, for what stands above");
    environment.remove("HIPLAB_DRIVER");
    properties.put("hiplab.driver", "rocm");
    assertThat(troubles()).hasSize(5);
    environment.put("HIPLAB_DRIVER", "rocm");
    properties.put("hiplab.driver", "host");
    assertThat(diagnosis().rocmWanted()).as("the JVM's setting wins").isFalse();
  }

  @Test
  void whatStandsInRocmsWayIsToldEvenIfNothingAboveDoes() {
    card("gfx1201");
    fact("verdict.usable", "0");
    facts.remove("run.gemm");
    fact("run.error", "driver rocm was asked for and is not usable: hipGetDeviceCount failed");
    properties.put("hiplab.driver", "rocm");
    assertOneTrouble("hipGetDeviceCount failed", "send this text");
  }

  @Test
  void aWrongSettingIsOneTroubleWithTheSettingAsItsStep() {
    String profile =
        "unknown profile \"gfx115\" (from HIPLAB_PROFILE): allowed are gfx1151, splitk";
    environment.put("HIPLAB_PROFILE", "gfx115");
    facts.remove("run.gemm");
    fact("host.error", profile);
    fact("run.error", profile);
    assertOneTrouble("unknown profile", "correct HIPLAB_PROFILE, or unset it");
    environment.remove("HIPLAB_PROFILE");
    properties.put("hiplab.profile", "gfx115");
    String asked = profile.replace("HIPLAB_PROFILE", "the request");
    facts.remove("host.error");
    fact("run.error", asked);
    assertOneTrouble("unknown profile", "correct -Dhiplab.profile, or leave it out");
  }

  @Test
  void aWrongOpenBlasIsToldOnce() {
    String missing = "OpenBLAS not found (tried /nope): set HIPLAB_OPENBLAS to its folder";
    environment.put("HIPLAB_OPENBLAS", "/nope");
    facts.remove("run.gemm");
    for (String part : List.of("openblas", "host", "run")) {
      fact(part + ".error", missing);
    }
    assertOneTrouble("OpenBLAS: OpenBLAS not found", "correct HIPLAB_OPENBLAS, or unset it");
    assertThat(text())
        .contains("a GEMM on the software device: not tried, for the trouble of OpenBLAS");
  }

  @Test
  void variables() {
    environment.put("HIPLAB_PROFIL", "secret");
    environment.put("HIPLAB_DRIVER", "host");
    environment.put("GPU_MAX_HW_QUEUES", "1");
    environment.put("AWS_SECRET", "hidden");
    assertThat(text())
        .contains("HIPLAB_PROFIL is set, and no setting of hiplab's has that name")
        .contains("OK       HIPLAB_DRIVER=host")
        .contains("NOTE     GPU_MAX_HW_QUEUES=1")
        .doesNotContain("secret", "hidden");
    environment.put("ROCBLAS_TENSILE_LIBPATH", "/no/such/folder");
    assertOneTrouble("ROCBLAS_TENSILE_LIBPATH=/no/such/folder is no folder", "unset ROCBLAS");
  }

  @Test
  void anOldJavaAndAnotherMachine() {
    properties.put("java.specification.version", "11");
    assertOneTrouble("is too old", "JDK, 17 or newer");
    properties.put("java.specification.version", "21");
    properties.put("os.arch", "aarch64");
    assertOneTrouble("Linux aarch64", "x86 Linux");
  }

  @Test
  void nativesThatDoNotLoad() {
    facts.remove("run.gemm");
    for (String part :
        List.of("natives", "openblas", "compiler", "host", "hip", "verdict", "run")) {
      fact(part + ".error", "cannot load libhiplab.so from a folder of " + part);
    }
    assertOneTrouble("cannot load libhiplab.so from a folder of natives", "set HIPLAB_CACHE");
    assertThat(diagnosis().healthy()).isFalse();
    assertThat(diagnosis().conclusion()).endsWith("does not run, for what stands above");
  }

  @Test
  void aCacheThatCannotBeUsed() {
    fact("natives.folder", "/tmp/hiplab-1");
    assertOneTrouble("the cache /home/ada/.cache cannot be used", "set HIPLAB_CACHE");
  }

  @Test
  void noCompiler() {
    fact("compiler.missing", "no C++ compiler found (looked for c++): install g++ or clang++");
    assertOneTrouble("no C++ compiler found (looked for c++)", "install g++");
    card("gfx1201");
    rocmWanted = true;
    assertThat(troubles()).as("ROCm does without").isEmpty();
    assertThat(text()).contains("NOTE     no C++ compiler found (looked for c++), which kernels");
  }

  @Test
  void aWrongCompiler() {
    environment.put("HIPLAB_CXX", "/nope");
    fact(
        "compiler.missing",
        "no C++ compiler found: HIPLAB_CXX is '/nope', which is no program; set it to a C++"
            + " compiler, or unset it to let CXX, c++, g++ and clang++ be tried");
    assertOneTrouble("HIPLAB_CXX is '/nope'", "correct HIPLAB_CXX, or unset it");
    assertThat(troubles().get(0).text()).doesNotContain("set it", "install");
  }

  @Test
  void aTemporaryFolderThatIsOfNoUse() throws IOException {
    Files.writeString(
        folder.resolve("mounts"),
        "root / ext4 rw 0 0\nt " + folder.toRealPath() + " tmpfs rw,noexec 0 0\n");
    assertOneTrouble("is mounted noexec", "set TMPDIR");
    environment.put("TMPDIR", folder.resolve("gone").toString());
    assertOneTrouble("gone is no folder", "set TMPDIR");
  }

  @Test
  void jsonHoldsTheSameAndEveryFact() {
    card("gfx1201");
    JsonObject json =
        JsonParser.parseString(DoctorText.json("first", diagnosis(), new Facts(facts)))
            .getAsJsonObject();
    assertThat(json.get("device").getAsString()).isEqualTo("first");
    assertThat(json.get("works").getAsString()).isEqualTo("ROCM");
    assertThat(json.get("troubles").getAsInt()).isZero();
    assertThat(json.getAsJsonArray("sections")).hasSize(diagnosis().sections().size());
    assertThat(json.getAsJsonObject("facts").get("gpu.0.arch").getAsString()).isEqualTo("gfx1201");
  }
}
