package dev.hiplab.measure;

import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A survey to be: shapes, how many candidates of each under which cap, and how they are measured.
 * What is not said is the default, or, when one is {@link #resume resumed}, what that one said. For
 * one thread.
 */
public final class SurveyBuilder {
  public static final int CANDIDATES = 8;

  /** Most that the backend asks a heuristic for. */
  private static final int MOST_CANDIDATES = 1024;

  /** Workspace that a candidate may ask for. */
  public static final long CAP_BYTES = 32L << 20;

  public static final int WARM_UP = 2;
  public static final int FEWEST = 3;
  public static final int MOST = 50;

  /** For the timed GEMMs of one candidate. */
  public static final Duration BUDGET = Duration.ofMillis(200);

  /** Multiply-adds of the outputs that are compared, of one shape. */
  public static final long CHECKED = 1L << 25;

  public static final long SEED = 1;

  private final Device device;
  private List<Problem> problems;
  private Integer candidates;
  private Long capBytes;
  private Boolean timing;
  private Integer warmUp;
  private Integer fewest;
  private Integer most;
  private Long budgetMillis;
  private Long checked;
  private Long seed;
  private String command;
  private Path folder;
  private boolean resume;
  private MeasureListener listener = MeasureListener.NONE;

  SurveyBuilder(Device device) {
    if (device == null) {
      throw new HiplabException("a survey needs a device, not null");
    }
    this.device = device;
  }

  /** Shapes as {@link Problem#of(String)} reads them; those of {@link SurveyShapes} when none. */
  public SurveyBuilder shapes(String... texts) {
    return problems(Arrays.stream(texts).map(Problem::of).toList());
  }

  /** The same as problems. One that is given twice is surveyed once. */
  public SurveyBuilder problems(List<Problem> list) {
    problems = list.isEmpty() ? null : list.stream().distinct().toList();
    return this;
  }

  /** Candidates to ask for of each shape: 1 to 1024 ({@value #CANDIDATES}). */
  public SurveyBuilder candidates(int most) {
    if (most > MOST_CANDIDATES) {
      throw new HiplabException("candidates is " + most + "; give 1 to " + MOST_CANDIDATES);
    }
    candidates = (int) atLeast("candidates", most, 1);
    return this;
  }

  /**
   * Most workspace that a candidate may ask for, bytes: 0 to 32 MiB (32 MiB), the backend's own.
   */
  public SurveyBuilder capBytes(long bytes) {
    if (bytes < 0 || bytes > CAP_BYTES) {
      throw new HiplabException(
          "the cap in bytes is "
              + bytes
              + "; give 0 to "
              + CAP_BYTES
              + ", which is the workspace that the backend has for a stream");
    }
    capBytes = bytes;
    return this;
  }

  /** Whether candidates are run; false asks the heuristics only. */
  public SurveyBuilder time(boolean value) {
    timing = value;
    return this;
  }

  /** GEMMs of each candidate before the timed ones ({@value #WARM_UP}). */
  public SurveyBuilder warmUp(int gemms) {
    warmUp = (int) atLeast("the warm-up", gemms, 0);
    return this;
  }

  /** Timed GEMMs of each candidate: at least, and at most ({@value #FEWEST} and {@value #MOST}). */
  public SurveyBuilder repetitions(int atLeast, int atMost) {
    fewest = (int) atLeast("the fewest repetitions", atLeast, 1);
    most = (int) atLeast("the most repetitions", atMost, atLeast);
    return this;
  }

  /** Time for the timed GEMMs of a candidate (200 ms); 0 for no more than the fewest. */
  public SurveyBuilder budget(Duration time) {
    budgetMillis = atLeast("the budget in ms", Budget.of(time).toMillis(), 0);
    return this;
  }

  /** Multiply-adds that the host spends on the reference of a shape (2^25), its edges apart. */
  public SurveyBuilder check(long multiplyAdds) {
    checked = atLeast("checked multiply-adds", multiplyAdds, 1);
    return this;
  }

  /** Of the inputs, and of which outputs are compared (1). */
  public SurveyBuilder seed(long value) {
    seed = value;
    return this;
  }

  /** What was typed, for the files. */
  public SurveyBuilder command(String text) {
    command = text;
    return this;
  }

  /** The folder to write, without a survey in it. */
  public SurveyBuilder out(Path path) {
    folder = path;
    resume = false;
    return this;
  }

  /** The folder of a survey to go on with: its shapes that are missing, as it was asked for. */
  public SurveyBuilder resume(Path path) {
    folder = path;
    resume = true;
    return this;
  }

  /** Who hears of the shapes. */
  public SurveyBuilder listener(MeasureListener value) {
    listener = value == null ? MeasureListener.NONE : value;
    return this;
  }

  private static long atLeast(String what, long value, long least) {
    if (value < least) {
      throw new HiplabException(what + " is " + value + "; give " + least + " or more");
    }
    return value;
  }

  /**
   * Surveys. Each shape's rows are on the disk when it ends. An interrupt of the thread ends it:
   * the shape that it was at is dropped, the result is not {@link Survey#complete}, and the flag
   * stays set.
   *
   * @throws HiplabException when the folder cannot be written, holds another survey, or is in use
   */
  public Survey run() {
    if (folder == null) {
      throw new HiplabException("a survey needs a folder: out(folder), or resume(folder)");
    }
    return new SurveyRun(device, listener).run(folder, this::settings, resume);
  }

  /**
   * What is asked for, where {@code there} decides what is not said.
   *
   * @param there null when none is resumed
   */
  private SurveySettings settings(SurveySettings there) {
    List<String> shapes =
        new ArrayList<>(
            (problems == null ? SurveyShapes.all() : problems)
                .stream().map(Problem::label).toList());
    return new SurveySettings(
        problems == null && there != null ? there.shapes() : shapes,
        said(candidates, there, SurveySettings::candidates, CANDIDATES),
        said(capBytes, there, SurveySettings::capBytes, CAP_BYTES),
        said(timing, there, SurveySettings::timing, true),
        said(warmUp, there, SurveySettings::warmUp, WARM_UP),
        said(fewest, there, SurveySettings::fewest, FEWEST),
        said(most, there, SurveySettings::most, MOST),
        said(budgetMillis, there, SurveySettings::budgetMillis, BUDGET.toMillis()),
        said(checked, there, SurveySettings::checkedMultiplyAdds, CHECKED),
        said(seed, there, SurveySettings::seed, SEED),
        Place.of(device),
        device.backend().devices().size(),
        said(command, there, SurveySettings::command, "in process: survey()"),
        Instant.now().toString());
  }

  private static <T> T said(
      T value, SurveySettings there, Function<SurveySettings, T> of, T otherwise) {
    return value != null ? value : there != null ? of.apply(there) : otherwise;
  }
}
