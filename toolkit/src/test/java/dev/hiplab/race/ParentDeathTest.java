package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A child does not outlive the process that started it. */
class ParentDeathTest {
  @TempDir Path folder;

  /** What the parent runs. */
  public static void main(String[] args) {
    Campaign.of(Misbehaving.Sleeps.class).runs(1).driver("host").out(Path.of(args[0])).run();
  }

  @Test
  void aChildGoesWhenItsParentIsKilled() throws Exception {
    childGoesAfter(Process::destroyForcibly);
  }

  @Test
  void aChildGoesWhenItsParentIsAskedToEnd() throws Exception {
    childGoesAfter(Process::destroy);
  }

  private interface End {
    void of(Process process);
  }

  private void childGoesAfter(End end) throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ParentDeathTest.class.getName(),
                folder.resolve("out").toString())
            .inheritIO()
            .start();
    try {
      ProcessHandle child = childOf(parent);
      end.of(parent);
      assertThat(parent.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(child.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    } finally {
      parent.descendants().forEach(ProcessHandle::destroyForcibly);
      parent.destroyForcibly();
    }
  }

  private static ProcessHandle childOf(Process parent) throws InterruptedException {
    for (int i = 0; i < 1200 && parent.isAlive(); i++) {
      Optional<ProcessHandle> child =
          parent.descendants().filter(ParentDeathTest::sleeps).findFirst();
      if (child.isPresent()) {
        return child.get();
      }
      Thread.sleep(50);
    }
    throw new AssertionError("the parent started no child");
  }

  private static boolean sleeps(ProcessHandle process) {
    List<String> arguments = List.of(process.info().arguments().orElse(new String[0]));
    return arguments.contains(Misbehaving.Sleeps.class.getName());
  }
}
