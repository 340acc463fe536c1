package dev.hiplab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of a compiler after a kernel was tried with it. */
class CompilerCheckTest {
  private static Facts facts(String... pairs) {
    Map<String, String> all = new HashMap<>(Map.of("compiler.command", "/bin/cxx"));
    for (int i = 0; i < pairs.length; i += 2) {
      all.put(pairs[i], pairs[i + 1]);
    }
    return new Facts(all);
  }

  @Test
  void anErrorKeepsItsOwnStep() {
    Facts facts =
        facts("kernel.error", "no room in /t: set TMPDIR to a writable folder with room ");
    assertThat(CompilerCheck.trouble(facts))
        .contains(
            Check.trouble(
                "a kernel compiled with /bin/cxx does not work: no room in /t",
                "set TMPDIR to a writable folder with room"));
    assertThat(CompilerCheck.trouble(facts("kernel.error", "odd")).get().step())
        .isEqualTo("set HIPLAB_CXX to a C++ compiler");
    assertThat(
            CompilerCheck.trouble(facts("kernel.error", "cannot make a folder in /x")).get().step())
        .isEqualTo("set TMPDIR to a writable folder with room");
    assertThat(CompilerCheck.trouble(facts("kernel.crash", "SIGSEGV")).get().text())
        .endsWith("ended the process: SIGSEGV");
    assertThat(CompilerCheck.proof(facts)).isEmpty();
  }

  @Test
  void whatIsToldElsewhereIsNotToldAgain() {
    assertThat(CompilerCheck.trouble(facts("kernel.error", "x", "compiler.missing", "y")))
        .isEmpty();
    assertThat(CompilerCheck.trouble(facts("kernel.error", "x", "host.error", "x"))).isEmpty();
    assertThat(CompilerCheck.trouble(facts(KernelTrial.RIGHT, "1"))).isEmpty();
    assertThat(CompilerCheck.proof(facts(KernelTrial.RIGHT, "1"))).isPresent();
  }
}
