package dev.hiplab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a {@link Trace} noted, in lanes: one for each thread and one for each stream. Immutable.
 *
 * @param lanes threads in the order in which they were first seen, then streams by number; a stream
 *     that was asked for has one even if nothing ran there
 * @param entries by begin
 * @param runs where the entries of kind RUN come from: {@code device steps} of the software device,
 *     or {@code events}: timing events around each piece of work, among which a graph is one
 * @param dropped entries that found no room (16384 of a thread are kept), and events that were not
 *     done at the end
 */
public record Timeline(List<Lane> lanes, List<Entry> entries, String runs, long dropped) {
  /** What a lane is of. */
  public enum LaneKind {
    /** Who called and passed points. */
    THREAD,
    /** What ran. */
    STREAM
  }

  /**
   * One lane.
   *
   * @param name the thread's, or {@code stream 3}, {@code null stream}, {@code graph branch 1}.
   *     Threads of one name that were there one after another share a lane; of two at a time the
   *     second is {@code name (2)}
   */
  public record Lane(LaneKind kind, String name) {}

  /** What an entry is. */
  public enum Kind {
    /** A call of HIP, hiprtc, rocBLAS or hipBLASLt on a thread. */
    CALL,
    /** Work on a stream. */
    RUN,
    /** A named point that a thread passed. */
    POINT
  }

  /**
   * One thing that was noted. Times are nanoseconds since the trace began.
   *
   * @param lane where it was
   * @param label function of a call or of the call that enqueued the work; name of a point
   * @param beginNanos of a point: when the thread came to it
   * @param endNanos of a point: when it was let go, which is later when a schedule held the thread
   * @param stream that a call used, or that its work ran on; empty for none
   * @param asked stream that the work was meant for; as {@code stream} unless they differ
   * @param call number of a call; of a run, that of the call that enqueued it, or 0
   */
  public record Entry(
      Lane lane,
      Kind kind,
      String label,
      long beginNanos,
      long endNanos,
      String stream,
      String asked,
      long call) {
    /** Whether the work went to another stream than it was meant for. */
    public boolean onAnotherStream() {
      return !asked.equals(stream) && !asked.isEmpty() && !stream.isEmpty();
    }
  }

  public Timeline {
    lanes = List.copyOf(lanes);
    entries = List.copyOf(entries);
  }

  /** Entries of one kind, by begin. */
  public List<Entry> of(Kind kind) {
    return where(entry -> entry.kind() == kind);
  }

  /** Entries of one kind with this label, by begin. */
  public List<Entry> of(Kind kind, String label) {
    return where(entry -> entry.kind() == kind && entry.label().equals(label));
  }

  /** Entries in a lane, by begin. */
  public List<Entry> in(Lane lane) {
    return where(entry -> entry.lane().equals(lane));
  }

  private List<Entry> where(Predicate<Entry> wanted) {
    List<Entry> found = new ArrayList<>();
    for (Entry entry : entries) {
      if (wanted.test(entry)) {
        found.add(entry);
      }
    }
    return found;
  }

  /**
   * Writes it as JSON Lines: lanes and counts, then a line for each entry. The file is there whole
   * or not at all.
   *
   * @throws HiplabException when it cannot be written
   */
  public Path write(Path file) {
    Require.given(file, "write", "a file");
    return TimelineFile.write(this, file);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws HiplabException when there is no such file, or it is torn or another one; its message
   *     names the line
   */
  public static Timeline read(Path file) {
    Require.given(file, "read", "the file of a timeline");
    return TimelineReader.read(file);
  }

  /** Counts, and where the runs come from. */
  @Override
  public String toString() {
    long threads = lanes.stream().filter(lane -> lane.kind() == LaneKind.THREAD).count();
    return of(Kind.CALL).size()
        + " calls and "
        + of(Kind.POINT).size()
        + " points on "
        + threads
        + " threads, "
        + of(Kind.RUN).size()
        + " runs on "
        + (lanes.size() - threads)
        + " streams ("
        + runs
        + (dropped == 0 ? "" : ", " + dropped + " entries dropped")
        + ")";
  }
}
