package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person writes about a command is read as it was meant, or refused by name. */
class CommandArgumentsTest {
  private static final Path HERE = Path.of("").toAbsolutePath();

  private static AbstractThrowableAssert<?, ?> refused(CommandsBuilder builder) {
    return assertThatThrownBy(builder::build).isInstanceOf(HiplabException.class);
  }

  private static AbstractThrowableAssert<?, ?> arm(String text) {
    return assertThatThrownBy(() -> ArmText.read(text)).isInstanceOf(HiplabException.class);
  }

  @Test
  void anArmIsANameAndItsParts() {
    Arm arm = ArmText.read("old:dir=../x,env=A=1,2,env=B=c=d,expect=fail,command=a, dir=b");
    assertThat(arm.name()).isEqualTo("old");
    assertThat(arm.folder()).isEqualTo(HERE.getParent().resolve("x"));
    assertThat(arm.environment()).isEqualTo(Map.of("A", "1,2", "B", "c=d"));
    assertThat(arm.expectation()).isEqualTo(Expectation.FAIL);
    assertThat(arm.command()).isEqualTo("a, dir=b");
    assertThat(ArmText.read("fixed")).isEqualTo(Arm.named("fixed"));
  }

  @Test
  void anArmReadsBackAsItWasWritten() {
    Arm arm =
        Arm.named("a.1")
            .in(Path.of("/with,dir=comma/and\\slash"))
            .with("FLAGS", "x,env=y\\,z,")
            .with("EMPTY", "")
            .expecting(Expectation.PASS)
            .running("echo 'a,b\\n'");
    assertThat(ArmText.read(ArmText.write(arm))).isEqualTo(arm);
  }

  @Test
  void wrongArmsAreNamed() {
    arm("a b").hasMessageContaining("'a b' is no name of an arm");
    arm("../a").hasMessageContaining("'../a' is no name of an arm");
    arm("a:fast").hasMessageContaining("arm 'a' has the part 'fast'");
    arm("a:env=A=1,exepct=pass")
        .hasMessageContaining("has the part 'exepct='")
        .hasMessageContaining("dir=, env=, expect= and command=");
    arm("a:env=A").hasMessageContaining("sets env=A; write env=NAME=VALUE");
    arm("a:env=1A=2").hasMessageContaining("sets '1A', which is no name of a variable");
    arm("a:expect=maybe").hasMessageContaining("expects 'maybe'; it can expect pass or fail");
    arm("a:dir=").hasMessageContaining("the folder (dir) of arm 'a' is empty");
    refused(Commands.of("true").arm("a:dir=/no/such/folder"))
        .hasMessageContaining("the folder of arm 'a', /no/such/folder, is not there");
    refused(Commands.of("true").arm("a").arm("a")).hasMessageContaining("two arms of the name 'a'");
  }

  @Test
  void wrongPatternsAreNamedBeforeAnythingRuns() {
    assertThatThrownBy(() -> OutcomePattern.of("WRONG=x"))
        .hasMessageContaining("there is no outcome 'WRONG'; there are EXACT,");
    assertThatThrownBy(() -> OutcomePattern.of("LEAK"))
        .hasMessageContaining("the outcome 'LEAK' has no pattern");
    assertThatThrownBy(() -> OutcomePattern.of("LEAK=a(b"))
        .hasMessageContaining("the pattern of outcome LEAK, 'a(b', is no regular expression");
    assertThatThrownBy(() -> OutcomePattern.of("LEAK=")).hasMessageContaining("is empty");
    assertThatThrownBy(() -> CounterPattern.of("n=\\d+"))
        .hasMessageContaining("counter n, '\\d+', has 0 groups; it needs one");
    assertThatThrownBy(() -> CounterPattern.of("n=(a)(b)")).hasMessageContaining("has 2 groups");
    assertThatThrownBy(() -> CounterPattern.of("a b=(c)"))
        .hasMessageContaining("the counter 'a b=(c)' is neither name=regex");
    refused(Commands.of("true").counter("n=(1)").counter("n+=(2)"))
        .hasMessageContaining("two counters of the name 'n'");
  }

  @Test
  void wrongNumbersAndNamesAreRefused() {
    refused(Commands.of(" ")).hasMessageContaining("the command is empty");
    refused(Commands.of("true").runs(0)).hasMessageContaining("runs is 0");
    refused(Commands.of("true").jobs(65)).hasMessageContaining("jobs is 65");
    refused(Commands.of("true").name("a/b")).hasMessageContaining("'a/b' cannot name a campaign");
  }

  @ParameterizedTest
  @CsvSource({
    "cargo test --features rocm --test x, cargo-test",
    "A=1 ./build/bin/tests --gtest_filter=a, tests",
    "make -C build check, make",
    "pytest tests/test_a.py::test_b, pytest-tests-test_a.py-test_b",
    "'(cd x; y)', command",
    "one two three four, one-two-three"
  })
  void aCampaignIsNamedByTheFirstWords(String command, String name) {
    assertThat(CommandName.of(command)).isEqualTo(name);
  }

  @Test
  void aDeviceThatCannotShowItIsNeitherAPassNorAFailure() {
    for (Expectation expectation : Expectation.values()) {
      assertThat(expectation.form("a").grade(Outcome.NOT_APPLICABLE)).isEqualTo(Grade.INTERESTING);
    }
  }
}
