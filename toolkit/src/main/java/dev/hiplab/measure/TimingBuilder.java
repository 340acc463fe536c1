package dev.hiplab.measure;

import dev.hiplab.Candidates;
import dev.hiplab.CaptureStatus;
import dev.hiplab.Device;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import dev.hiplab.Matrix;
import dev.hiplab.Stream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A timing to be: arms, how often, on which stream. In each round every arm runs once, and the next
 * round begins with the next arm, so that what the machine does meanwhile it does to all of them,
 * and no arm is always first. For one thread; {@link #run} may be called again.
 *
 * <p>Device time is the time between an event before and an event after the work, on its stream: of
 * work that is enqueued elsewhere only what this stream waits for counts, work that waits itself
 * counts with the pause that it makes, and work that enqueues nothing costs what two events cost.
 * Enqueue time is the host's, in the lambda. Up to 16 repetitions (50 ms) are enqueued ahead of the
 * device. An arm that is a GEMM on matrices is enqueued behind a {@link dev.hiplab.HostGate} after
 * its first repetition, so that its device time is the device's; a lambda may wait itself, so that
 * it is not, and may be {@link Timing.Arm#hostBound}.
 */
public final class TimingBuilder {
  /** Rounds unless said otherwise. */
  public static final int REPETITIONS = 100;

  /** Rounds that are not counted, unless said otherwise. */
  public static final int WARM_UP = 5;

  /** Rounds that are done whatever the budget. */
  static final int FEWEST = 3;

  private final Device device;
  private final Map<String, Rounds.ArmWork> arms = new LinkedHashMap<>();
  private Stream stream;
  private int warmUp = WARM_UP;
  private int repetitions; // 0: not said
  private Duration budget;
  private MeasureListener listener = MeasureListener.NONE;

  private TimingBuilder(Device device) {
    this.device = device;
  }

  /** On a stream of its own of that device, unless another is named. */
  static TimingBuilder on(Device device) {
    if (device == null) {
      throw new HiplabException("a timing needs a device, not null");
    }
    return new TimingBuilder(device);
  }

  /** Adds an arm; the first is the one that others are compared with. */
  public TimingBuilder arm(String name, Work work) {
    return arm(name, work, false);
  }

  private TimingBuilder arm(String name, Work work, boolean enqueuesOnly) {
    if (name == null || name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
      throw new HiplabException(
          "an arm needs a name of one line, not " + (name == null ? "null" : "'" + name + "'"));
    }
    if (work == null) {
      throw new HiplabException("arm '" + name + "' needs work such as s -> s.gemm(...), not null");
    }
    if (arms.putIfAbsent(name, new Rounds.ArmWork(work, enqueuesOnly)) != null) {
      throw new HiplabException("there are two arms '" + name + "'; give each a name of its own");
    }
    return this;
  }

  /**
   * The same for a GEMM on matrices of the caller's, which is enqueued behind a gate: the device
   * does not wait for the host, as it may for a lambda.
   */
  public TimingBuilder arm(String name, Gemm spec, Matrix a, Matrix b, Matrix c) {
    return arm(name, on -> on.gemm(spec, a, b, c), true);
  }

  /** The same for a GEMM by one of its candidates. */
  public TimingBuilder arm(
      String name, Candidates candidates, int index, Matrix a, Matrix b, Matrix c) {
    return arm(name, on -> on.gemm(candidates, index, a, b, c), true);
  }

  /** Times on a stream of the caller's, which is waited for. */
  public TimingBuilder stream(Stream value) {
    if (value != null && value.device() != device) {
      throw new HiplabException(
          "the stream is of another device than the timing: "
              + value.device().index()
              + ", not "
              + device.index());
    }
    stream = value;
    return this;
  }

  /** Rounds that are done first and not counted; 0 or more. */
  public TimingBuilder warmUp(int rounds) {
    warmUp = atLeast("warm-up rounds", rounds, 0);
    return this;
  }

  /** Rounds, that is repetitions of each arm: 1 or more. With a budget: at most. */
  public TimingBuilder repetitions(int rounds) {
    repetitions = atLeast("repetitions", rounds, 1);
    return this;
  }

  /** Ends after the round in which that much time has passed, but not before {@value #FEWEST}. */
  public TimingBuilder budget(Duration time) {
    if (time == null || time.isNegative() || time.isZero()) {
      throw new HiplabException("a budget needs some time, not " + time);
    }
    budget = Budget.of(time);
    return this;
  }

  /** Who hears of the rounds. */
  public TimingBuilder listener(MeasureListener value) {
    listener = value == null ? MeasureListener.NONE : value;
    return this;
  }

  private static int atLeast(String what, int value, int least) {
    if (value < least) {
      throw new HiplabException(what + " is " + value + "; give " + least + " or more");
    }
    return value;
  }

  /**
   * Times. An interrupt of the thread ends it between two repetitions: what was done is kept, the
   * result is not {@link Timing#complete}, and the thread's flag stays set.
   *
   * @throws HiplabException naming the arm, when its work throws or leaves a capture open; when
   *     there is no arm; when the stream captures
   */
  public Timing run() {
    if (arms.isEmpty()) {
      throw new HiplabException("a timing needs an arm: arm(\"gemm\", s -> s.gemm(...))");
    }
    if (stream != null) {
      return run(stream);
    }
    try (Stream own = device.stream()) {
      return run(own);
    }
  }

  private Timing run(Stream on) {
    if (on.captureStatus() != CaptureStatus.NONE) {
      throw new HiplabException(
          "the stream captures, and what is captured does not run; end the capture first");
    }
    int rounds = repetitions > 0 ? repetitions : budget == null ? REPETITIONS : Integer.MAX_VALUE;
    listener.started("rounds", budget == null ? rounds : 0, 0);
    try (Rounds timed = new Rounds(on, arms, listener)) {
      boolean complete = timed.run(warmUp, rounds, budget);
      return new Timing(Place.of(device), command(), timed.samples(), complete);
    } finally {
      listener.finished();
    }
  }

  private String command() {
    StringBuilder text = new StringBuilder("in process: timing()");
    arms.keySet().forEach(name -> text.append(".arm(\"").append(name).append("\", ...)"));
    text.append(".warmUp(").append(warmUp).append(')');
    if (repetitions > 0 || budget == null) {
      text.append(".repetitions(").append(repetitions > 0 ? repetitions : REPETITIONS).append(')');
    }
    if (budget != null) {
      text.append(".budget(Duration.ofMillis(").append(budget.toMillis()).append("))");
    }
    return text.append(".run()").toString();
  }
}
