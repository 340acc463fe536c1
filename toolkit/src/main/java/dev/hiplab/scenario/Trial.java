package dev.hiplab.scenario;

import dev.hiplab.Backend;
import dev.hiplab.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a workload runs on.
 *
 * @param backend open in the form under test, with calls counted; the child closes it
 * @param seed of the inputs
 * @param form under test; a workload may ask what its parts are for, never whether to fail
 * @param interleaving that is in charge of the threads
 * @param sums how the devices add, measured when an output is not exact
 */
public record Trial(
    Backend backend, long seed, Form form, Interleaving interleaving, DeviceSums sums) {
  /** On devices of which nothing is known yet. */
  public Trial(Backend backend, long seed, Form form, Interleaving interleaving) {
    this(backend, seed, form, interleaving, new DeviceSums(backend.options()));
  }

  /** What the backend says of itself; see {@link Backend#info()}. */
  public Map<String, String> info() {
    return backend.info();
  }

  /** Whether an order is forced on the threads A and B. */
  public boolean forced() {
    return interleaving.way() == Way.FORCED;
  }

  /**
   * Names for the threads of a workload: A and B where an order is forced, else as many as said.
   */
  public List<String> names(int threads) {
    if (forced()) {
      return List.of("A", "B");
    }
    List<String> names = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      names.add("worker-" + t);
    }
    return names;
  }

  /**
   * Whether device 0 makes IEEE sums of that type; true also where that cannot be measured. Where
   * it does not (gfx11, mlxcel 2206) an output may miss an exact zero by a residue, and only a
   * bound can be asked for. Opens a backend and runs GEMMs the first time: ask after the work, and
   * after the counters were read.
   */
  public boolean addsIeee(DType type) {
    return !sums.of(0, type).allowBound();
  }
}
