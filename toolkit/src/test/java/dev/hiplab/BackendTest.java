package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BackendTest {
  @Test
  void tellsProviderAndReason() {
    try (Backend backend = HostBackend.open()) {
      assertThat(backend.info()).containsEntry("provider", "host").containsKey("reason");
      assertThat(backend.describe()).contains("host").doesNotContain("\n");
      assertThat(backend.toString()).contains(backend.describe());
      assertThat(backend.devices()).hasSize(1);
      assertThat(backend.device(0).toString()).startsWith("Device 0: ").contains("driver host");
    }
  }

  @Test
  void tellsItsForms() {
    assertForms(HostBackend.options(), "all parts FIXED");
    assertForms(HostBackend.options().withForm("workspace", "FIXED"), "all parts FIXED");
    assertForms(HostBackend.options().withForm("FILED"), "all parts FILED");
    assertForms(
        HostBackend.options().withForm("workspace", "LEASE_CALL"),
        "workspace LEASE_CALL, the other parts FIXED");
    assertForms(
        HostBackend.options().withForm("router", "FILED").withForm("pipe-cache", "MUTEX_HELD"),
        "pipe-cache MUTEX_HELD, router FILED, the other parts FIXED");
    Options oneFixed = HostBackend.options().withForm("FILED").withForm("workspace", "FIXED");
    try (Backend backend = Backend.open(oneFixed)) {
      assertThat(backend.forms().split(", "))
          .hasSize(Backend.formParts().size())
          .contains("router FILED", "the other parts FIXED")
          .doesNotContain("workspace FILED");
    }
  }

  private static void assertForms(Options options, String forms) {
    try (Backend backend = Backend.open(options)) {
      assertThat(backend.forms()).isEqualTo(forms);
      assertThat(backend.describe()).endsWith("), " + forms);
      assertThat(backend.toString()).endsWith("), " + forms);
      boolean fixed = forms.equals("all parts FIXED");
      assertThat(backend.allFixed()).isEqualTo(fixed);
      assertThat(backend.device(0).toString()).endsWith(fixed ? ")" : "), " + forms);
    }
  }

  @Test
  void aFormOfSinglePartsNamesThemAndTheCall() {
    assertThatThrownBy(() -> Backend.open(HostBackend.options().withForm("LEASE_CALL")))
        .isInstanceOf(HiplabException.class)
        .hasMessage(
            "LEASE_CALL is no form of every part, as FIXED and FILED are; of workspace it is:"
                + " withForm(\"workspace\", \"LEASE_CALL\")");
    Backend.open(HostBackend.options().withForm("workspace", "LEASE_CALL")).close();
    assertThatThrownBy(() -> Backend.open(HostBackend.options().withForm("MUTEX_HELD")))
        .hasMessageContaining("of pipe-cache and encoders it is")
        .hasMessageContaining("withForm(\"pipe-cache\", \"MUTEX_HELD\")");
  }

  @Test
  void theAdviceForANullFormWorks() {
    assertThatThrownBy(() -> HostBackend.options().withForm("workspace", null))
        .hasMessage(
            "the form of part workspace is null; give \"FIXED\", \"FILED\" or another that"
                + " Backend.formParts() lists for it, or leave it out");
    for (String form : Backend.formParts().get("workspace")) {
      Backend.open(HostBackend.options().withForm("workspace", form)).close();
    }
    assertThatThrownBy(() -> HostBackend.options().withForm(null))
        .hasMessage("the form of every part is null; give \"FIXED\" or \"FILED\", or leave it out");
  }

  @Test
  void namesADeviceThatIsNotThere() {
    try (Backend backend = HostBackend.open()) {
      assertThatThrownBy(() -> backend.device(3))
          .isInstanceOf(HiplabException.class)
          .hasMessage("there is no device 3: this backend has 1 device, index 0");
      assertThatThrownBy(() -> backend.device(-1)).hasMessageContaining("no device -1");
    }
  }

  /** Past Java's own check the native layer refuses it, and has opened nothing. */
  @Test
  void theNativeLayerNamesADeviceThatIsNotThere() {
    try (Backend backend = HostBackend.open()) {
      Device nowhere = backend.deviceUnchecked(99);
      assertThatThrownBy(nowhere::stream)
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("device 99 does not exist")
          .hasMessageContaining("allowed is 0");
      assertThat(backend.counters()).containsEntry("handles.devices", 0L);
    }
  }

  /** It stays open to the end of this process, and so does its backend. */
  @Test
  void anEventKeptUntilExitCountsAsOpen() {
    Backend backend = HostBackend.open();
    Event event = backend.device(0).event();
    event.keepUntilExit();
    assertThat(event.toString()).contains("closed");
    assertThatThrownBy(event::keepUntilExit)
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("is closed; make a new one");
    assertThatThrownBy(backend::close).hasMessageContaining("still open are 0 streams, 1 event");
  }

  @Test
  void namesWhatIsUnknownAndWhatIsAllowed() {
    assertThatThrownBy(() -> Backend.open(HostBackend.options().withDriver("vulkan")))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("vulkan")
        .hasMessageContaining("rocm")
        .hasMessageContaining("host");
    assertThatThrownBy(() -> Backend.open(HostBackend.options().withProfile("gfx0")))
        .hasMessageContaining("gfx0")
        .hasMessageContaining("splitk");
    assertThatThrownBy(() -> Backend.open(HostBackend.options().withForm("no-such-part", "FILED")))
        .hasMessageContaining("no-such-part");
    assertThatThrownBy(() -> Backend.open(HostBackend.options().withForm("BROKEN")))
        .hasMessageContaining("BROKEN")
        .hasMessageContaining("FILED");
  }

  @Test
  void everyPartOpensInEachOfItsForms() {
    Map<String, java.util.List<String>> parts = Backend.formParts();
    assertThat(parts).isNotEmpty();
    parts.forEach(
        (part, forms) -> {
          assertThat(forms).as(part).contains("FIXED", "FILED");
          for (String form : forms) {
            try (Backend backend = Backend.open(HostBackend.options().withForm(part, form))) {
              assertThat(backend.counters()).isNotNull();
            }
          }
        });
  }

  @Test
  void countsRoutesAndCalls() {
    try (Backend backend = Backend.open(HostBackend.options().withCountCalls(true));
        Stream stream = backend.device(0).stream();
        Matrix a = backend.device(0).matrix(DType.F32, 1, 1, 2);
        Matrix c = stream.matmul(a, a)) {
      assertThat(c.ints()).containsExactly(4);
      Map<String, Long> counters = backend.counters();
      long routed = 0;
      for (Map.Entry<String, Long> counter : counters.entrySet()) {
        routed += counter.getKey().startsWith("route.") ? counter.getValue() : 0;
      }
      assertThat(routed).isEqualTo(1);
      assertThat(counters).containsKey("calls.hipStreamCreateWithFlags");
    }
  }

  @Test
  void probeTellsWhyNot() {
    Map<String, String> probe = Backend.probe(Options.defaults());
    assertThat(probe).containsKeys("candidate.0.name", "candidate.0.usable");
    probe.forEach(
        (key, value) -> {
          if (key.endsWith(".usable") && value.equals("0")) {
            assertThat(probe.get(key.replace(".usable", ".reason"))).isNotBlank();
          }
        });
  }

  @Test
  void optionsKeepToOneLine() {
    assertThat(Options.defaults().withForm("FILED").withForm("workspace", "FIXED").toText())
        .endsWith("form=FILED\nform.workspace=FIXED\n");
    assertThatThrownBy(() -> Options.defaults().withDriver("host\nform=FILED"))
        .hasMessageContaining("line break");
    assertThatThrownBy(() -> Options.defaults().withProfile(null)).hasMessageContaining("null");
    assertThatThrownBy(() -> Options.defaults().withFailCall("1:2\nform=FILED"))
        .hasMessage("failCall holds a line break; give one name");
    assertThatThrownBy(() -> Options.defaults().withHostArch("gfx\0"))
        .hasMessage("options: hostArch holds a NUL character at index 3; leave it out");
    assertThat(new Options("host", "splitk", 2, true, Map.of()).toText())
        .isEqualTo("driver=host\nprofile=splitk\nhost_devices=2\ncount_calls=1\n");
    assertThat(
            Options.of("host", "", 0)
                .withFailCall("hipMalloc#2:2")
                .withHostArch("gfx90a")
                .withCountCalls(true)
                .toText())
        .isEqualTo("driver=host\ncount_calls=1\nfail_call=hipMalloc#2:2\nhost_arch=gfx90a\n");
  }

  @Test
  void aCallThatWasToFailFailsOnce() {
    Options options = HostBackend.options().withFailCall("hipEventCreateWithFlags#2:2");
    try (Backend backend = Backend.open(options)) {
      Device device = backend.device(0);
      device.event().close();
      assertThatThrownBy(
              () -> {
                // A pooled event needs no call, so keep those that come.
                while (backend.counters().get("faults.injected") == 0) {
                  device.event();
                }
              })
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("hipEventCreateWithFlags")
          .hasMessageContaining("hipErrorOutOfMemory");
      assertThat(backend.counters()).containsEntry("faults.injected", 1L);
      device.event().close();
    }
    assertThatThrownBy(() -> Backend.open(HostBackend.options().withFailCall("hipNothing#1:1")))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("hipNothing");
  }

  @Test
  void clearedStreamsStayUsable() {
    try (Backend backend = HostBackend.open();
        Stream stream = backend.device(0).stream();
        Matrix a = backend.device(0).matrix(DType.BF16, 1, 1, 3);
        Matrix c = backend.device(0).empty(DType.BF16, 1, 1)) {
      stream.gemm(Gemm.NT, a, a, c);
      long before = backend.counters().get("ended.encoders");
      backend.clearStreams();
      assertThat(backend.counters().get("ended.encoders")).isGreaterThan(before);
      stream.poison(c);
      stream.gemm(Gemm.NT, a, a, c);
      assertThat(c.ints()).containsExactly(9);
    }
  }
}
