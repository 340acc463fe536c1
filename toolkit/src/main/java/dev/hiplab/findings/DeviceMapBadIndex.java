package dev.hiplab.findings;

import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import dev.hiplab.Stream;
import dev.hiplab.scenario.Actors;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * mlxcel 2197, edge cases: "a negative or out-of-range index behaves as today (the Device
 * constructor or HIP fails, nothing is inserted, the next call retries)".
 *
 * <p>Eight threads ask twice each for a stream of the devices -1, n and 99 of n; every error must
 * name the index and what is allowed, the same both times, and no Device may have been made. Java
 * refuses such an index by itself ({@code Backend.device}), so the native layer is asked past that
 * check, and Java once. Then the driver's first hipGetDeviceProperties of device 0, in Device's
 * constructor, fails: the call throws its status, nothing is inserted, and the next one opens the
 * device.
 */
public final class DeviceMapBadIndex extends SourcedScenario {
  private static final int THREADS = 8;
  private static final int TIMES = 2;
  private static final String STATUS = "hipErrorInvalidDevice";

  public DeviceMapBadIndex() {
    super(
        "device-map.bad-index",
        "mlxcel 2197",
        "devices that do not exist, and one whose construction fails",
        "An index out of range is a clear error, nothing is inserted, and the next call tries"
            + " again.");
  }

  @Override
  public Options options(Options options) {
    return options.withFailCall("hipGetDevicePropertiesR0600#1:101");
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.fixed());
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    int count = trial.backend().devices().size();
    Actors actors = new Actors();
    for (String name : trial.names(THREADS)) {
      actors.add(
          name,
          () -> {
            for (int index : new int[] {-1, count, 99}) {
              Device nowhere = trial.backend().deviceUnchecked(index);
              for (int time = 0; time < TIMES; time++) {
                require(thrown(nowhere), "device " + index + " does not exist", "allowed");
              }
            }
          });
    }
    actors.run();
    String error = actors.firstError();
    try {
      trial.backend().device(99);
      error = error.isEmpty() ? "Backend.device(99) gave a device" : error;
    } catch (HiplabException refused) {
      require(refused.getMessage(), "there is no device 99", "this backend has");
    }
    long inserted = trial.backend().counters().getOrDefault("handles.devices", 0L);
    Device first = trial.backend().device(0);
    require(thrown(first), "hipGetDeviceProperties", STATUS);
    long afterFailure = trial.backend().counters().getOrDefault("handles.devices", 0L);
    first.stream().close();

    Map<String, Long> counters = new TreeMap<>(trial.backend().counters());
    counters.put("devices.after-bad-indices", inserted);
    counters.put("devices.after-a-failed-construction", afterFailure);
    if (!error.isEmpty()) {
      return new Finding(Outcome.ERROR, error, counters, actors.workMillis());
    }
    boolean right =
        inserted == 0 && afterFailure == 0 && counters.getOrDefault("handles.devices", 0L) == 1;
    return new Finding(
        right ? Outcome.EXACT : Outcome.LEAK,
        right ? "" : "devices were inserted by calls that failed",
        counters,
        actors.workMillis());
  }

  private static String thrown(Device device) {
    try (Stream stream = device.stream()) {
      return "nothing was thrown: it opened " + stream;
    } catch (HiplabException e) {
      return e.getMessage();
    }
  }

  private static void require(String message, String... parts) {
    for (String part : parts) {
      if (!message.contains(part)) {
        throw new HiplabException(
            "an error should say \"" + part + "\", but says \"" + message + "\"");
      }
    }
  }
}
