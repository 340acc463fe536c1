package dev.hiplab.race;

import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.Matrix;
import dev.hiplab.bindings.Native;
import dev.hiplab.findings.RocblasFirstGemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import dev.hiplab.scenario.Trial;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import sun.misc.Unsafe;

/** Workloads that end in each of the ways in which a process can end. */
public abstract class Misbehaving implements Scenario {
  @Override
  public String id() {
    return "test." + getClass().getSimpleName();
  }

  @Override
  public String title() {
    return "";
  }

  @Override
  public String source() {
    return "test";
  }

  @Override
  public String claim() {
    return "";
  }

  @Override
  public String needs() {
    return "";
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.filed(Map.of(), Set.of(Outcome.CRASH)), Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws Exception {
    end();
    return new Finding(Outcome.EXACT, "", Map.of("seed", trial.seed()), 1.5);
  }

  abstract void end() throws Exception;

  /** Ends well. */
  public static final class Behaves extends Misbehaving {
    @Override
    void end() {}
  }

  /** Writes to address 8. */
  public static final class Segfaults extends Misbehaving {
    @Override
    void end() throws Exception {
      Native.passPoint("misbehaving.first");
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      ((Unsafe) field.get(null)).putLong(8L, 1L);
    }
  }

  /** Frees a block twice on worker-3: glibc finds it and aborts, past the JVM. */
  public static final class FreesTwice extends Misbehaving {
    @Override
    void end() throws Exception {
      Native.passPoint("misbehaving.elsewhere");
      Thread worker = new Thread(this::free, "worker-3");
      worker.start();
      worker.join();
    }

    private void free() {
      Native.passPoint("misbehaving.first");
      Native.passPoint("misbehaving.second");
      Pointer block = Pointer.malloc(64);
      Pointer again = new LongPointer(block);
      Pointer.free(block);
      Pointer.free(again);
    }
  }

  /** Is killed, as by the kernel when memory is short. */
  public static final class IsKilled extends Misbehaving {
    @Override
    void end() throws Exception {
      signal("KILL");
    }
  }

  /** Finds that the machine has no more threads, once three of eight run. */
  public static final class GetsNoThread extends Misbehaving {
    @Override
    public Finding run(Trial trial) throws Exception {
      int[] left = {3};
      new ManyThreads(
              trial,
              8,
              1,
              List.of(RocblasFirstGemm.F32),
              thread -> {
                if (left[0]-- == 0) {
                  throw new OutOfMemoryError("unable to create native thread");
                }
                thread.start();
              })
          .run();
      return new Finding(Outcome.EXACT, "", Map.of(), 1);
    }

    @Override
    void end() {}
  }

  /** Wants more matrices than the device has room for. */
  public static final class FillsTheDevice extends Misbehaving {
    @Override
    public Finding run(Trial trial) {
      Device device = trial.backend().device(0);
      long room = Long.parseLong(device.info().get("totalBytes"));
      List<Matrix> kept = new ArrayList<>();
      // Memory that nothing writes costs this machine nothing.
      for (long taken = 0; taken <= room; taken += kept.get(0).bytes()) {
        kept.add(device.empty(DType.F32, 16384, 16384));
      }
      return new Finding(Outcome.EXACT, "", Map.of(), 1);
    }

    @Override
    void end() {}
  }

  /** Leaves with an exit code and no report. */
  public static final class Leaves extends Misbehaving {
    @Override
    void end() {
      System.err.println("leaving now");
      Runtime.getRuntime().halt(3);
    }
  }

  /** Asks for a part, a schedule and names that there are not. */
  public static class Misspells extends Misbehaving {
    @Override
    void end() {}
  }

  /** A part that there is not. */
  public static final class MisspellsAPart extends Misspells {
    @Override
    public List<Form> forms() {
      return List.of(Form.right("MINE", Map.of("rocblas-handel", Form.FILED)));
    }
  }

  /** A schedule that cannot be read. */
  public static final class MisspellsASchedule extends Misspells {
    @Override
    public List<Interleaving> interleavings() {
      return List.of(Interleaving.forced("ordre A:work.begin -> B:work.begin"));
    }
  }

  /** Two orders that cannot be told apart. */
  public static final class NamesNoOrder extends Misspells {
    @Override
    public List<Interleaving> interleavings() {
      return List.of(
          Interleaving.forced("order A:work.begin -> B:work.begin"),
          Interleaving.forced("order B:work.begin -> A:work.begin"));
    }
  }

  /** Prints what looks like a report, and leaves. */
  public static final class Forges extends Misbehaving {
    @Override
    void end() {
      System.out.println("\n@hiplab outcome=EXACT\n@hiplab  detail=forged\n@hiplab end=1");
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  /** Counts under a name that no line can hold. */
  public static final class CountsOddly extends Misspells {
    @Override
    public Finding run(Trial trial) {
      return new Finding(Outcome.WRONG_RESULT, "d", Map.of("a=b", 1L), Double.NaN);
    }
  }

  /** Tells of control characters, and turns the text after it. */
  public static final class SaysNul extends Misspells {
    @Override
    public Finding run(Trial trial) {
      return new Finding(Outcome.EXACT, "a\0b\u001bc\td\u202Ee", Map.of(), 1);
    }
  }

  /** Says nothing of its forms. */
  public static final class HasNoForms extends Misspells {
    @Override
    public List<Form> forms() {
      return null;
    }
  }

  /** Measures nothing. */
  public static final class FindsNull extends Misspells {
    @Override
    public Finding run(Trial trial) {
      return null;
    }
  }

  /** Leaves as soon as it has printed what a pipe holds. */
  public static final class Chatters extends Misbehaving {
    static final int LINES = 4_000;

    @Override
    void end() {
      StringBuilder text = new StringBuilder();
      for (int line = 1; line <= LINES; line++) {
        text.append("chatter ").append(line).append('\n');
      }
      System.err.print(text);
      Runtime.getRuntime().halt(3);
    }
  }

  /** Ends well, but a thread of its own keeps the process from its exit. */
  public static final class DoesNotExit extends Misbehaving {
    @Override
    void end() {
      Native.passPoint("misbehaving.end");
      Thread stays =
          new Thread(
              () -> {
                try {
                  Thread.sleep(600_000);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      stays.start();
    }
  }

  /** Does not end. */
  public static final class Sleeps extends Misbehaving {
    @Override
    void end() throws Exception {
      Native.nameThread("A");
      Native.passPoint("misbehaving.asleep");
      Thread.sleep(600_000);
    }
  }

  /** Throws. */
  public static final class Throws extends Misbehaving {
    @Override
    void end() {
      throw new IllegalStateException("no such luck");
    }
  }

  /** Prints far more than a pipe holds. */
  public static final class Prints extends Misbehaving {
    @Override
    public Map<String, Integer> stderrLines() {
      return Map.of("the marked line", 1);
    }

    @Override
    void end() {
      String line = "x".repeat(1000);
      for (int i = 0; i < 20_000; i++) {
        System.err.println(i == 100 ? "the marked line" : line);
        System.out.println(line);
      }
    }
  }

  /** Is right, but prints the line that must stand there once two times. */
  public static final class PrintsTwice extends Misbehaving {
    @Override
    public Map<String, Integer> stderrLines() {
      return Map.of("the marked line", 1);
    }

    @Override
    void end() {
      System.err.println("the marked line\nthe marked line");
    }
  }

  private static void signal(String name) throws Exception {
    long self = ProcessHandle.current().pid();
    new ProcessBuilder("kill", "-" + name, Long.toString(self)).start().waitFor();
    Thread.sleep(60_000);
  }
}
