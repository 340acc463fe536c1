package dev.hiplab.race;

import dev.hiplab.Backend;
import java.util.Map;

/**
 * What a workload runs on.
 *
 * @param backend open in the form under test, with calls counted; the child closes it
 * @param seed of the inputs
 * @param info what the backend says of itself, see {@link Backend#info()}
 */
public record Trial(Backend backend, long seed, Map<String, String> info) {
  /**
   * Whether the device's bf16 and f16 sums are IEEE sums. Where they are not (gfx1151, mlxcel 2206)
   * an output may miss an exact zero by a residue, and only a bound can be asked for.
   */
  public boolean addsIeee() {
    return !"0".equals(info.get("addsIeee"));
  }
}
