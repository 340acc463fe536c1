package dev.hiplab.race;

import java.util.ArrayList;
import java.util.List;

/** What a {@link ProbeChild} has said so far: all of it, whatever libraries print beside it. */
final class ProbeReport {
  private final String mark;
  private final List<String> lines = new ArrayList<>();
  private boolean ended;
  private long saidAt = System.nanoTime();

  ProbeReport(String token) {
    mark = ChildReport.mark(token);
  }

  /** Any line of the child's standard output. */
  synchronized void read(String line) {
    if (!line.startsWith(mark)) {
      return;
    }
    String said = line.substring(mark.length());
    saidAt = System.nanoTime();
    if (said.equals(ProbeChild.END)) {
      ended = true;
    } else {
      lines.add(said);
    }
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  synchronized String last() {
    return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
  }

  synchronized boolean ended() {
    return ended;
  }

  /** Since the last line. */
  synchronized long silentMillis() {
    return (System.nanoTime() - saidAt) / 1_000_000;
  }
}
