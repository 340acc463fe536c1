package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.Native;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Winners of tuning, one for a GEMM and a place, in a file that can be read, shared and checked.
 * Immutable: {@link #with} makes another one.
 */
public final class Tunings {
  private static final Comparator<Winner> ORDER =
      Comparator.comparing((Winner one) -> one.dtype().toString())
          .thenComparing(one -> one.spec().label())
          .thenComparing(Winner::batch)
          .thenComparing(Winner::m)
          .thenComparing(Winner::n)
          .thenComparing(Winner::k)
          .thenComparing(one -> one.on().toString())
          .thenComparing(one -> one.on().provider());

  private static final Tunings EMPTY = new Tunings(List.of());

  private final List<Winner> winners;

  /**
   * What became of a winner on a device.
   *
   * @param winner of the file
   * @param here whether it was tuned on this device and profile with these versions; true where
   *     that could not be told
   * @param fits whether it counts here
   * @param reason why not, and the next step; empty when it does
   */
  public record Checked(Winner winner, boolean here, boolean fits, String reason) {
    @Override
    public String toString() {
      String word = fits ? "usable      " : here ? "not usable  " : "elsewhere   ";
      return word + winner + (fits ? "" : ": " + reason);
    }
  }

  private Tunings(List<Winner> winners) {
    this.winners = winners.stream().sorted(ORDER).toList();
  }

  /** Without a winner. */
  public static Tunings empty() {
    return EMPTY;
  }

  /**
   * Reads a file that {@link #write} wrote.
   *
   * @throws HiplabException naming the file, the entry, the value and what is allowed
   */
  public static Tunings read(Path file) {
    return of(TuningsFile.read(Require.given(file, "Tunings.read", "a file")));
  }

  /** Of winners of which no two are of one GEMM and place. */
  static Tunings of(List<Winner> winners) {
    return new Tunings(winners);
  }

  /** Sorted by GEMM, then by place. */
  public List<Winner> winners() {
    return winners;
  }

  /**
   * These and the winner of a result, in the place of an earlier one of the same GEMM and place.
   *
   * @throws HiplabException when the library tells no index of its algorithms
   */
  public Tunings with(TuneResult result) {
    return with(Require.given(result, "with", "the result of a tune").winner());
  }

  /** The same with a winner. */
  public Tunings with(Winner winner) {
    Require.given(winner, "with", "a winner");
    Map<Winner.Key, Winner> all = new LinkedHashMap<>();
    winners.forEach(one -> all.put(one.key(), one));
    all.put(winner.key(), winner);
    return new Tunings(new ArrayList<>(all.values()));
  }

  /**
   * Writes the file: beside it first, then in its place, so that whoever reads it meanwhile has the
   * whole of the one or of the other. Of two that write at once the last one wins.
   *
   * @return the file
   */
  public Path write(Path file) {
    TuningsFile.write(winners, Require.given(file, "write", "a file"));
    return file;
  }

  /**
   * Looks whether {@link #write} could write there, before what it is to keep is measured.
   *
   * @throws HiplabException naming what cannot be written
   */
  public static void requireWritable(Path file) {
    TuningsFile.requireWritable(Require.given(file, "requireWritable", "a file"));
  }

  /** Which of them would count on a device, one by one. Changes nothing there. */
  public List<Checked> check(Device device) {
    return each(Require.given(device, "check", "a device"), false);
  }

  /**
   * Makes later GEMMs on the device's backend take the winners that count there. One of another
   * device or library version is left out, as is one that the heuristic does not offer any more, or
   * under another name: its index would be another algorithm.
   *
   * @return what became of each
   * @throws HiplabException when there is no winner, or none counts here, with the first's reason
   */
  public List<Checked> use(Device device) {
    Require.given(device, "use", "a device");
    if (winners.isEmpty()) {
      throw new HiplabException(
          "there is no winner to use on device "
              + device.index()
              + ": the list is empty; tune a GEMM and keep it with Tunings.with first");
    }
    List<Checked> all = each(device, true);
    if (all.stream().noneMatch(Checked::fits)) {
      throw new HiplabException(
          "none of "
              + counted(all.size())
              + " can be used on device "
              + device.index()
              + "; the first, "
              + all.get(0).winner().shape()
              + ": "
              + all.get(0).reason());
    }
    return all;
  }

  /** Such as {@code 1 winner} or {@code 2 winners}. */
  static String counted(int winners) {
    return winners + (winners == 1 ? " winner" : " winners");
  }

  private List<Checked> each(Device device, boolean apply) {
    List<Checked> all = new ArrayList<>();
    TunedOn place = null;
    for (Winner winner : winners) {
      String reason;
      boolean here = true;
      try {
        if (place == null) {
          place = TunedOn.of(device);
        }
        List<String> differences = winner.on().differences(place);
        here = differences.isEmpty();
        reason =
            here
                ? offered(device, winner, apply)
                : "it was tuned with "
                    + String.join("; ", differences)
                    + "; an index counts only where all of these are the same: tune again on this"
                    + " device";
      } catch (HiplabException e) {
        reason = String.valueOf(e.getMessage());
      }
      all.add(new Checked(winner, here, reason.isEmpty(), reason));
    }
    return Collections.unmodifiableList(all);
  }

  /** Empty when the heuristic offers it. */
  private static String offered(Device device, Winner winner, boolean apply) {
    BackendRef backend = device.backend().use();
    try {
      Native.useWinner(
          backend,
          device.index(),
          winner.dtype().code(),
          winner.spec().transA(),
          winner.spec().transB(),
          winner.m(),
          winner.n(),
          winner.k(),
          winner.batch(),
          winner.candidates(),
          winner.capBytes(),
          winner.solution(),
          winner.name(),
          winner.workspaceBytes(),
          apply);
      return "";
    } finally {
      device.backend().done();
    }
  }

  /** A line a winner; {@code no winners} when there is none. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    winners.forEach(winner -> text.append(winner).append('\n'));
    return text.length() == 0 ? "no winners" : text.toString();
  }
}
