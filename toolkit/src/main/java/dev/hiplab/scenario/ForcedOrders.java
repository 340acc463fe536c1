package dev.hiplab.scenario;

import dev.hiplab.Schedule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the orders of a schedule add to the finding of the workload that they were forced on. */
public final class ForcedOrders {
  private ForcedOrders() {}

  /**
   * A workload that went wrong stays what it is. One that was right is EXCLUDED when an order was
   * excluded, and says otherwise whether its orders held and did no harm.
   */
  public static Finding read(Finding finding, List<Schedule.Order> orders) {
    if (orders.isEmpty()) {
      return finding;
    }
    Map<String, Long> counters = new TreeMap<>(finding.counters());
    for (Schedule.Status status : Schedule.Status.values()) {
      long count = orders.stream().filter(order -> order.status() == status).count();
      counters.put(counter(status), count);
    }
    Outcome outcome = finding.outcome();
    String detail = finding.detail();
    if (outcome.isRight()) {
      List<String> excluded = excluded(orders);
      String missing = missing(orders);
      if (!excluded.isEmpty()) {
        outcome = Outcome.EXCLUDED;
        detail = String.join("; ", excluded);
      } else if (!missing.isEmpty()) {
        detail = join(detail, missing);
      } else if (orders.stream().allMatch(order -> order.status() == Schedule.Status.HELD)) {
        detail = join(detail, "the order held, and did no harm");
      }
    }
    return new Finding(outcome, detail, counters, finding.workMillis());
  }

  /** Name of the counter of orders that ended so: {@code orders.not-reached}. */
  public static String counter(Schedule.Status status) {
    return "orders." + status.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String join(String first, String second) {
    return first.isEmpty() ? second : first + "; " + second;
  }

  private static List<String> excluded(List<Schedule.Order> orders) {
    List<String> told = new ArrayList<>();
    for (Schedule.Order order : orders) {
      if (order.status() == Schedule.Status.EXCLUDED) {
        told.add("\"" + order.line() + "\" " + order.told());
      }
    }
    return told;
  }

  /** Points that this form lacks, or that another order kept a thread from; each said once. */
  private static String missing(List<Schedule.Order> orders) {
    Set<String> why = new LinkedHashSet<>();
    for (Schedule.Order order : orders) {
      if (order.status() == Schedule.Status.NOT_REACHED) {
        why.add(order.detail());
      }
    }
    return why.isEmpty() ? "" : "the order was not reached: " + String.join("; ", why);
  }
}
