package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hiplab.HiplabException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command ends with everything that it started, and its output never holds it up. */
class CommandProcessTest {
  /** What the parent of the tests below runs: three sleeps, one of them a grandchild. */
  static final String SLEEPS = "sleep 87654321 & (sleep 87654321 & wait) & echo on; sleep 87654321";

  @TempDir Path folder;

  /** A parent that is killed. */
  public static void main(String[] args) {
    Commands.of(SLEEPS).runs(1).out(Path.of(args[0])).run();
  }

  @AfterEach
  void leavesNone() {
    sleeps().forEach(ProcessHandle::destroyForcibly);
  }

  private static Stream<ProcessHandle> sleeps() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                List.of(process.info().arguments().orElse(new String[0])).contains("87654321"));
  }

  private static void awaitSleeps(int count) throws InterruptedException {
    for (int i = 0; i < 600 && sleeps().count() != count; i++) {
      Thread.sleep(50);
    }
    assertThat(sleeps().count()).isEqualTo(count);
  }

  private CommandExit run(String text, int seconds, AtomicLong lines) throws Exception {
    return run(text, seconds, line -> lines.incrementAndGet());
  }

  private CommandExit run(String text, int seconds, Consumer<String> onLine) throws Exception {
    try (OutputFile file = new OutputFile(folder.resolve("out.txt"))) {
      return CommandProcess.run(text, folder, Map.of(), Duration.ofSeconds(seconds), onLine, file);
    }
  }

  /** Its end is known long before its lines are read. */
  @Test
  void aReaderThatIsSlowReadsEveryLineAllTheSame() throws Exception {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    CommandExit exit =
        run(
            "seq 1000000 1004000; exit 3",
            60,
            line -> {
              if (lines.isEmpty()) {
                pause(500);
              }
              lines.add(line);
            });
    assertThat(exit.code()).isEqualTo(3);
    assertThat(lines).hasSize(4001).endsWith("1004000");
    assertThat(folder.resolve("out.txt")).hasSize(4001 * 8);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theDeadlineEndsGrandchildrenToo() throws Exception {
    CommandExit exit = run(SLEEPS, 2, new AtomicLong());
    assertThat(exit.hung()).isTrue();
    assertThat(Files.readString(folder.resolve("out.txt"))).isEqualTo("on\n");
    assertThat(sleeps()).isEmpty();
  }

  @Test
  void whatACommandLeavesBehindIsEnded() throws Exception {
    CommandExit exit =
        run("sleep 87654321 & timeout 87654321 sleep 87654321 & exit 5", 60, new AtomicLong());
    assertThat(exit.hung()).isFalse();
    assertThat(exit.code()).isEqualTo(5);
    assertThat(sleeps()).isEmpty();
  }

  @Test
  void aCommandMayKillItsGroupWithoutItsSupervisor() throws Exception {
    CommandExit exit = run("sleep 87654321 & kill -TERM 0; wait", 60, new AtomicLong());
    assertThat(exit.code()).isEqualTo(128 + 15);
    assertThat(sleeps()).isEmpty();
  }

  @Test
  void anInterruptEndsItAndIsPassedOn() throws Exception {
    Thread worker = new Thread(() -> Commands.of(SLEEPS).out(folder.resolve("c")).run());
    worker.start();
    awaitSleeps(3);
    worker.interrupt();
    worker.join(TimeUnit.SECONDS.toMillis(60));
    assertThat(worker.isAlive()).isFalse();
    assertThat(sleeps()).isEmpty();
    assertThat(RunLog.read(folder.resolve("c"))).isEmpty();
  }

  @Test
  void nothingIsLeftWhenTheParentIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CommandProcessTest.class.getName(),
                folder.resolve("out").toString())
            .inheritIO()
            .start();
    try {
      awaitSleeps(3);
      List<ProcessHandle> started = parent.descendants().toList();
      assertThat(started).hasSizeGreaterThan(3); // the shells too
      parent.destroyForcibly();
      assertThat(parent.waitFor(60, TimeUnit.SECONDS)).isTrue();
      awaitSleeps(0);
      for (ProcessHandle process : started) {
        assertThat(process.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
      }
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void outputWithoutEndNeitherBlocksNorFillsTheDisk() throws Exception {
    AtomicLong lines = new AtomicLong();
    CommandExit exit = run("yes 0123456789abcde | head -n 300000; echo the end >&2", 120, lines);
    assertThat(exit.code()).isZero();
    assertThat(lines).hasValue(300_001);
    byte[] kept = Files.readAllBytes(folder.resolve("out.txt"));
    String text = new String(kept, StandardCharsets.UTF_8);
    assertThat(kept.length).isBetween(2 * OutputFile.HALF, 2 * OutputFile.HALF + 100);
    assertThat(text).endsWith("the end\n");
    assertThat(text.lines().filter(line -> line.startsWith("[hiplab: ")))
        .containsExactly("[hiplab: 3751432 of 4800008 bytes left out here]");
  }

  @Test
  void outputBetweenTheHalvesIsWhole() throws Exception {
    run("yes 0123456789abcde | head -n 50000", 120, new AtomicLong());
    assertThat(Files.readString(folder.resolve("out.txt")))
        .isEqualTo("0123456789abcde\n".repeat(50_000));
  }

  @Test
  void aCommandHasNoInputToWaitFor() throws Exception {
    assertThat(run("cat; read line; exit 4", 60, new AtomicLong()).code()).isEqualTo(4);
  }

  /** A shell's background job would ignore SIGINT and SIGQUIT, and all that it starts with it. */
  @Test
  void aCommandIgnoresTheSignalsThatAnyChildOfThisProcessDoes() throws Exception {
    Process plain = new ProcessBuilder("grep", "SigIgn", "/proc/self/status").start();
    String ignored = new String(plain.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    run("grep SigIgn /proc/self/status", 60, new AtomicLong());
    assertThat(Files.readString(folder.resolve("out.txt"))).isEqualTo(ignored);
  }

  /** Or a command that waits for all of its children would wait for the supervisor's. */
  @Test
  void aCommandHasOnlyTheChildrenThatItStarted() throws Exception {
    run("cat /proc/$$/task/*/children; echo .", 60, new AtomicLong());
    String children = Files.readString(folder.resolve("out.txt"));
    assertThat(children.strip().split(" ").length).isEqualTo(2); // cat, and the point
  }

  @Test
  void aSupervisorThatIsKilledIsNoOutcomeAndLeavesNothing() throws Exception {
    Thread killer = new Thread(this::killSupervisor);
    killer.start();
    assertThatThrownBy(() -> run(SLEEPS, 60, new AtomicLong()))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("killed from outside")
        .hasMessageContaining("--resume");
    killer.join();
    assertThat(sleeps()).isEmpty();
  }

  private void killSupervisor() {
    try {
      awaitSleeps(3);
    } catch (InterruptedException e) {
      return;
    }
    ProcessHandle.current()
        .children()
        .filter(child -> child.descendants().anyMatch(one -> sleeps().anyMatch(one::equals)))
        .forEach(ProcessHandle::destroyForcibly);
  }
}
