package dev.hiplab.doctor;

import dev.hiplab.HiplabException;
import dev.hiplab.race.ChildProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Collects facts from processes that may die of what they look at. */
public final class Examiner {
  /** A library on a cold disk, or a first GEMM, may take a while. */
  private static final Duration SILENCE = Duration.ofSeconds(60);

  /** Once something hung, other parts are likely to hang with it. */
  private static final Duration SILENCE_AFTER = Duration.ofSeconds(15);

  private Examiner() {}

  /** Runs a process over some parts. */
  interface Process {
    /** {@code hung}: whether a process before it did. */
    ChildProbe.End look(List<String> parts, boolean hung) throws InterruptedException;
  }

  /**
   * Looks at every part; one that ends its process, or hangs, costs the later parts a process of
   * their own.
   *
   * @param progress told, in a sentence, of a part that takes long
   */
  public static Facts look(Consumer<String> progress) throws InterruptedException {
    return look(
        (parts, hung) -> {
          Duration silence = hung ? SILENCE_AFTER : SILENCE;
          try {
            return ChildProbe.run(
                Examination.class,
                parts,
                silence,
                (last, seconds) -> progress.accept(waiting(last, seconds, silence)));
          } catch (HiplabException e) {
            return new ChildProbe.End(List.of(), e.getMessage(), false);
          }
        });
  }

  private static String waiting(String last, long seconds, Duration silence) {
    String at =
        last.startsWith(Examination.BEGIN) ? last.substring(Examination.BEGIN.length()) : "";
    return "looking at "
        + (at.isEmpty() ? "the next part" : at)
        + " for "
        + seconds
        + " s now; after "
        + silence.toSeconds()
        + " s it is given up";
  }

  static Facts look(Process process) throws InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    List<String> left = new ArrayList<>(Examination.PARTS);
    boolean hung = false;
    while (!left.isEmpty()) {
      ChildProbe.End end = process.look(left, hung);
      hung |= end.hung();
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
