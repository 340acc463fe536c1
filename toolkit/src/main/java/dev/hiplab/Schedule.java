package dev.hiplab;

import dev.hiplab.bindings.Native;
import dev.hiplab.bindings.ScheduleRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An order forced on the threads of this process: who passes which named point after whom, or where
 * a thread waits a while. One schedule at a time in a process; see {@code docs/points.md} for the
 * points of the backend, and {@link #start} for the text.
 *
 * <pre>{@code
 * Schedule schedule =
 *     Schedule.start(
 *         "order A:rocblas.create.begin arrived -> B:work.begin\n"
 *             + "order B:work.end -> A:rocblas.create.begin\n");
 * // threads that called Schedule.nameThread("A") and ("B") run here, and are joined
 * schedule.end().forEach(order -> System.out.println(order.line() + ": " + order.status()));
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Schedule implements AutoCloseable {
  /** What became of an order. */
  public enum Status {
    /** It happened in this order. */
    HELD("held"),
    /** One of its points was never come to: nothing is known. */
    NOT_REACHED("not reached"),
    /** It cannot happen: who waits for whom is told, or the bound passed. */
    EXCLUDED("excluded"),
    /** Only other orders of the schedule stand against it. */
    IN_CONFLICT("in conflict with other orders");

    private final String text;

    Status(String text) {
      this.text = text;
    }

    static Status of(String text) {
      for (Status status : values()) {
        if (status.text.equals(text)) {
          return status;
        }
      }
      throw new HiplabException("the native layer gave an order the unknown status '" + text + "'");
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * One order of a schedule after its run.
   *
   * @param line as it stood in the text
   * @param status what became of it
   * @param detail why; empty when it held
   * @param locks names of the locks that excluded it, comma-separated
   * @param proved excluded by who waits for whom, and not by a clock
   */
  public record Order(String line, Status status, String detail, String locks, boolean proved) {
    /** What became of it and why, and whether only a clock says so. */
    public String told() {
      String clock = status == Status.EXCLUDED && !proved ? " (by a clock)" : "";
      return status + clock + (detail.isEmpty() ? "" : ": " + detail);
    }
  }

  private ScheduleRef ref; // guarded by this; null once ended
  private List<Order> orders = List.of(); // guarded by this

  private Schedule(ScheduleRef ref) {
    this.ref = ref;
  }

  /**
   * Begins to force a schedule.
   *
   * @param text a line each: {@code order A:x -> B:y}, {@code order A:x arrived -> B:y#2}, {@code
   *     delay B:x 5ms}, {@code record}, {@code bound 5s}; A and B are names of threads, x and y are
   *     points
   * @throws HiplabException for a line that is not understood, naming it, or when a schedule is
   *     already running
   */
  public static Schedule start(String text) {
    Require.given(text, "start", "the text of a schedule");
    Require.noNul(text, "start", "the text of a schedule");
    NativeLibrary.load();
    return new Schedule(Native.startSchedule(text));
  }

  /**
   * Lets every thread go and tells what became of the orders; later calls tell the same. Call it
   * when the threads have ended.
   */
  public synchronized List<Order> end() {
    if (ref != null) {
      ScheduleRef ended = ref;
      ref = null;
      orders = orders(KeyValues.texts(Native.endSchedule(ended)));
    }
    return orders;
  }

  private static List<Order> orders(Map<String, String> told) {
    List<Order> orders = new ArrayList<>();
    for (int n = 0; told.containsKey("order." + n); n++) {
      String key = "order." + n;
      orders.add(
          new Order(
              told.get(key),
              Status.of(told.getOrDefault(key + ".status", "")),
              told.getOrDefault(key + ".detail", ""),
              told.getOrDefault(key + ".locks", ""),
              told.getOrDefault(key + ".proved", "0").equals("1")));
    }
    return List.copyOf(orders);
  }

  /**
   * Names the calling thread, for schedules and for what a crash report says of it.
   *
   * @param name without blanks, ':', '#' and '/'
   */
  public static void nameThread(String name) {
    Require.given(name, "nameThread", "a name");
    Require.noNul(name, "nameThread", "a thread's name");
    NativeLibrary.load();
    Native.nameThread(name);
  }

  /** Passes a point of the caller's own; costs next to nothing without a schedule. */
  public static void pass(String point) {
    Require.given(point, "pass", "the name of a point");
    Require.noNul(point, "pass", "a point's name");
    NativeLibrary.load();
    Native.passPoint(point);
  }

  @Override
  public void close() {
    end();
  }
}
