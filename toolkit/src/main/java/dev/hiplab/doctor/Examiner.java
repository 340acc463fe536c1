package dev.hiplab.doctor;

import dev.hiplab.HiplabException;
import dev.hiplab.race.ChildProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects facts from processes that may die of what they look at. */
public final class Examiner {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private Examiner() {}

  /** Runs a process over some parts. */
  interface Process {
    ChildProbe.End look(List<String> parts) throws InterruptedException;
  }

  /**
   * Looks at every part; one that ends its process costs the later parts a process of their own.
   */
  public static Facts look() throws InterruptedException {
    return look(
        parts -> {
          try {
            return ChildProbe.run(Examination.class, parts, DEADLINE);
          } catch (HiplabException e) {
            return new ChildProbe.End(List.of(), e.getMessage());
          }
        });
  }

  static Facts look(Process process) throws InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    List<String> left = new ArrayList<>(Examination.PARTS);
    while (!left.isEmpty()) {
      ChildProbe.End end = process.look(left);
      String at = read(end.lines(), left, facts);
      if (left.isEmpty()) {
        break;
      }
      // Died between two parts, or before the first: nothing would come of trying it again.
      String part = at.isEmpty() ? left.get(0) : at;
      facts.put(part + ".crash", end.trouble().isEmpty() ? "it ended early" : end.trouble());
      left.remove(part);
      if (part.equals("natives")) {
        break;
      }
      if (!left.contains("natives")) {
        left.add(0, "natives");
      }
    }
    return new Facts(facts);
  }

  /** Takes the parts that are done out of {@code left}; the part at which the process ended. */
  private static String read(List<String> lines, List<String> left, Map<String, String> facts) {
    String at = "";
    for (String line : lines) {
      if (line.startsWith(Examination.BEGIN)) {
        at = line.substring(Examination.BEGIN.length());
      } else if (line.startsWith(Examination.DONE)) {
        left.remove(line.substring(Examination.DONE.length()));
        at = "";
      } else if (line.startsWith(Examination.FACT) && line.indexOf('=') > 0) {
        int equals = line.indexOf('=');
        facts.put(line.substring(Examination.FACT.length(), equals), line.substring(equals + 1));
      }
    }
    return at;
  }
}
