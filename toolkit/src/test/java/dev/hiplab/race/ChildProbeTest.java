package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a child says is all of what it says, and nothing that others print. */
class ChildProbeTest {
  /** The child. */
  public static void main(String[] args) throws Exception {
    ProbeChild parent = new ProbeChild(args[0]);
    parent.say("begin " + args[1]);
    switch (args[1]) {
      case "floods" -> {
        for (int i = 0; i < 5000; i++) {
          System.out.println("@hiplab " + Integer.toHexString(i) + " forged");
        }
        System.out.print("no end of line");
      }
      case "hangs" -> {
        new ProcessBuilder("sleep", "1000").start();
        Thread.sleep(1_000_000);
      }
      case "hangs at exit" ->
          Runtime.getRuntime().addShutdownHook(new Thread(ChildProbeTest::hang));
      case "leaves" -> Runtime.getRuntime().halt(0);
      default -> throw new IllegalArgumentException(args[1]);
    }
    parent.say("two\nlines");
    parent.end();
  }

  private static void hang() {
    try {
      Thread.sleep(1_000_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ChildProbe.End run(String what, Duration silence, List<String> waited)
      throws InterruptedException {
    return ChildProbe.run(
        ChildProbeTest.class, List.of(what), silence, (last, seconds) -> waited.add(last));
  }

  @Test
  void whatOthersPrintDisturbsNothing() throws Exception {
    ChildProbe.End end = run("floods", Duration.ofSeconds(60), new ArrayList<>());
    assertThat(end.lines()).containsExactly("begin floods", "two lines");
    assertThat(end.trouble()).isEmpty();
  }

  @Test
  void aChildThatHangsAtItsExitHasSaidAll() throws Exception {
    long begin = System.nanoTime();
    ChildProbe.End end = run("hangs at exit", Duration.ofSeconds(60), new ArrayList<>());
    assertThat(end).isEqualTo(new ChildProbe.End(end.lines(), "", false));
    assertThat(end.lines()).hasSize(2);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void aSilentChildIsToldOfAndEndedWithWhatItStarted() throws Exception {
    List<String> waited = new ArrayList<>();
    ChildProbe.End end = run("hangs", Duration.ofSeconds(8), waited);
    assertThat(end.hung()).isTrue();
    assertThat(end.lines()).containsExactly("begin hangs");
    assertThat(end.trouble()).isEqualTo("it hung, and said nothing for 8 s");
    assertThat(waited).containsExactly("begin hangs");
    assertThat(ProcessHandle.current().descendants())
        .noneMatch(each -> each.info().commandLine().orElse("").endsWith("sleep 1000"));
  }

  @Test
  void anEndOfItsOwnIsNoHang() throws Exception {
    ChildProbe.End end = run("leaves", Duration.ofSeconds(60), new ArrayList<>());
    assertThat(end).isEqualTo(new ChildProbe.End(List.of("begin leaves"), "", false));
  }
}
