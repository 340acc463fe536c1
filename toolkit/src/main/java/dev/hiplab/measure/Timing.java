package dev.hiplab.measure;

import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What a {@link TimingBuilder} measured: every sample, and what they come to arm by arm. Immutable.
 */
public final class Timing {
  /**
   * One repetition of one arm.
   *
   * @param sequence its place among all, from 0
   * @param repetition its round, from 0; the warm-up counts for itself
   * @param warmUp whether it is left out of what is said of the arm
   * @param deviceMs between the events around it, milliseconds
   * @param enqueueUs the host's time in the arm's work, microseconds
   * @param gated whether the device stood at a gate while it was enqueued
   */
  public record Sample(
      int sequence,
      String arm,
      int repetition,
      boolean warmUp,
      double deviceMs,
      double enqueueUs,
      boolean gated) {}

  /**
   * An arm's repetitions without the warm-up.
   *
   * @param hostBound whether its device time may be the host's: most of it was enqueued without a
   *     gate, and the median enqueue time is at least the median device time
   */
  public record Arm(String name, Samples deviceMs, Samples enqueueUs, boolean hostBound) {}

  private final Place place;
  private final String command;
  private final List<Sample> samples;
  private final boolean complete;
  private final Map<String, Arm> arms = new LinkedHashMap<>();

  Timing(Place place, String command, List<Sample> samples, boolean complete) {
    this.place = place;
    this.command = command;
    this.samples = samples;
    this.complete = complete;
    Map<String, List<Sample>> byArm =
        samples.stream()
            .filter(sample -> !sample.warmUp)
            .collect(Collectors.groupingBy(Sample::arm, LinkedHashMap::new, Collectors.toList()));
    samples.stream() // rounds begin with another arm each, the first one with the first
        .map(Sample::arm)
        .distinct()
        .filter(byArm::containsKey)
        .forEach(name -> arms.put(name, arm(name, byArm.get(name))));
  }

  private static Arm arm(String name, List<Sample> of) {
    Samples deviceMs = values(of, Sample::deviceMs);
    Samples enqueueUs = values(of, Sample::enqueueUs);
    boolean gated = 2 * of.stream().filter(Sample::gated).count() >= of.size();
    boolean hostBound = !gated && enqueueUs.median() >= deviceMs.median() * 1e3;
    return new Arm(name, deviceMs, enqueueUs, hostBound);
  }

  private static Samples values(List<Sample> of, ToDoubleFunction<Sample> value) {
    return Samples.of(of.stream().mapToDouble(value).toArray());
  }

  /** A timing to be told more: {@code Timing.on(device).arm("gemm", s -> ...).run()}. */
  public static TimingBuilder on(Device device) {
    return TimingBuilder.on(device);
  }

  /** In the order in which they ran, the warm-up too. */
  public List<Sample> samples() {
    return samples;
  }

  /** By name, in the order in which they were given; those that came to be measured. */
  public Map<String, Arm> arms() {
    return new LinkedHashMap<>(arms);
  }

  /**
   * One arm.
   *
   * @throws HiplabException naming those there are
   */
  public Arm arm(String name) {
    Arm arm = arms.get(name);
    if (arm == null) {
      throw new HiplabException(
          "there is no arm '" + name + "' with samples; there are " + arms.keySet());
    }
    return arm;
  }

  /** Device time of an arm against the first one's; below 1 it is faster. */
  public Ratio ratio(String name) {
    Arm arm = arm(name);
    Arm first = arms.values().iterator().next();
    return Ratio.of(arm.deviceMs(), first.deviceMs());
  }

  public Place place() {
    return place;
  }

  /** What was run. */
  public String command() {
    return command;
  }

  /** False when an interrupt ended it. */
  public boolean complete() {
    return complete;
  }

  /**
   * Writes every sample: {@code sequence, arm, repetition, warm_up, device_ms, enqueue_us, gated},
   * numbers in full, and of its arm {@code host_bound} (empty when none of it counts).
   *
   * @return the file
   */
  public Path csv(Path file) {
    List<List<?>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "sequence",
            "arm",
            "repetition",
            "warm_up",
            "device_ms",
            "enqueue_us",
            "gated",
            "host_bound"));
    for (Sample s : samples) {
      Object bound = arms.containsKey(s.arm) ? arms.get(s.arm).hostBound : "";
      rows.add(
          List.of(
              s.sequence, s.arm, s.repetition, s.warmUp, s.deviceMs, s.enqueueUs, s.gated, bound));
    }
    try {
      Path folder = file.toAbsolutePath().getParent();
      Files.createDirectories(folder);
      // No channel, which the flag of an interrupt that ended the timing would close.
      try (OutputStream out = new FileOutputStream(file.toFile())) {
        String text = rows.stream().map(Csv::line).collect(Collectors.joining());
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the samples could not be written to " + file + ": " + e.getMessage(), e);
    }
  }

  /** Where and what, then a line an arm. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(place.toString()).append('\n').append(command);
    text.append(complete ? "" : "\ninterrupted; these were done:").append('\n');
    if (arms.isEmpty()) {
      return text.append("nothing was measured").toString();
    }
    int wide = arms.keySet().stream().mapToInt(String::length).max().orElseThrow();
    String head = "%-" + Math.max(3, wide) + "s %6s %11s %23s %9s %11s %10s  %s%n";
    text.append(
        String.format(
            Locale.ROOT,
            head,
            "arm",
            "count",
            "median ms",
            "quartiles ms",
            "outside",
            "enqueue us",
            "host-bound",
            arms.size() > 1 ? "ratio (95 %)" : ""));
    arms.forEach(
        (name, arm) -> {
          Samples ms = arm.deviceMs();
          text.append(
              String.format(
                  Locale.ROOT,
                  head,
                  name,
                  ms.count(),
                  String.format(Locale.ROOT, "%.4f", ms.median()),
                  String.format(
                      Locale.ROOT, "%.4f to %.4f", ms.lowerQuartile(), ms.upperQuartile()),
                  ms.outliers(),
                  String.format(Locale.ROOT, "%.1f", arm.enqueueUs().median()),
                  arm.hostBound() ? "yes" : "no",
                  arms.size() > 1 ? ratio(name) : ""));
        });
    text.append("plot: TimingPlot.of(timing)");
    return text.toString().lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
  }
}
