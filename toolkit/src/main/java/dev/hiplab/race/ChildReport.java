package dev.hiplab.race;

import dev.hiplab.Schedule;
import dev.hiplab.scenario.Finding;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a child says on standard output: lines {@code @hiplab TOKEN key=value}, the last of them
 * {@code @hiplab TOKEN end=1}. Anything else on standard output is somebody else's and is ignored.
 *
 * <p>Plain text on purpose: a JSON library would cost a child a tenth of its time.
 */
final class ChildReport {
  /** Exit code of a child whose parent went away. */
  static final int PARENT_GONE = 99;

  private static final char DELETE = 127;

  private static final String MARK = "@hiplab ";

  /** Key of what the machine lacked for the workload to run. */
  static final String MACHINE = "machine";

  /** Key of why a form or an interleaving of the scenario cannot be run at all. */
  static final String REFUSED = "refused";

  private final PrintStream out;
  private final String mark;

  /**
   * A child's own.
   *
   * @param token what its parent made up for it
   */
  ChildReport(PrintStream out, String token) {
    this.out = out;
    this.mark = mark(token);
  }

  /** Begins a line of the report: with a token, as a workload may print lines that look alike. */
  static String mark(String token) {
    return MARK + token + " ";
  }

  /** The device and the versions. */
  void environment(Map<String, String> info) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> entry : info.entrySet()) {
      line(text, "environment." + entry.getKey(), entry.getValue());
    }
    write(text);
  }

  /** The workload's finding; a later one (an error while closing) takes its place. */
  void finding(Finding finding) {
    StringBuilder text = new StringBuilder();
    line(text, "outcome", finding.outcome().name());
    line(text, "detail", finding.detail());
    line(text, "work", Double.toString(finding.workMillis()));
    for (Map.Entry<String, Long> entry : finding.counters().entrySet()) {
      line(text, "counter." + entry.getKey(), Long.toString(entry.getValue()));
    }
    write(text);
  }

  /** What became of the orders of a schedule, a line each. */
  void orders(List<Schedule.Order> orders) {
    StringBuilder text = new StringBuilder();
    for (int n = 0; n < orders.size(); n++) {
      Schedule.Order order = orders.get(n);
      line(text, "order." + n, order.line() + " | " + order.told());
    }
    write(text);
  }

  /** The workload did not run as it should for want of memory or threads. */
  void machine(String lacking) {
    StringBuilder text = new StringBuilder();
    line(text, MACHINE, lacking);
    write(text);
  }

  /** The scenario asks for a part, a form or a schedule that there is not. */
  void refused(String why) {
    StringBuilder text = new StringBuilder();
    line(text, REFUSED, why);
    write(text);
  }

  /** Everything is closed; only the exit of the process is left. */
  void end() {
    StringBuilder text = new StringBuilder();
    line(text, "end", "1");
    write(text);
  }

  private void line(StringBuilder text, String key, String value) {
    text.append(mark).append(key).append('=');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      text.append(c < ' ' || c == DELETE ? ' ' : c);
    }
    text.append('\n');
  }

  private void write(StringBuilder text) {
    // A line of its own, also after a library that printed without an end of line.
    byte[] bytes = text.insert(0, '\n').toString().getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
    out.flush();
  }

  /** Adds the key and value of a line to the report; false when the line is not one of ours. */
  static boolean read(String mark, String line, Map<String, String> report) {
    int equals = line.indexOf('=');
    if (!line.startsWith(mark) || equals < 0) {
      return false;
    }
    report.put(line.substring(mark.length(), equals), line.substring(equals + 1));
    return true;
  }

  /** The report's entries whose keys begin with {@code prefix}, without it. */
  static Map<String, String> under(String prefix, Map<String, String> report) {
    Map<String, String> found = new LinkedHashMap<>();
    report.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            found.put(key.substring(prefix.length()), value);
          }
        });
    return found;
  }
}
