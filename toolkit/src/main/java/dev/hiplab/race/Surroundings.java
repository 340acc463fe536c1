package dev.hiplab.race;

import dev.hiplab.measure.Place;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a run is told to have run on: driver, device, versions, and the variables that matter. */
final class Surroundings {
  // What else of the environment changes what a device shows.
  private static final List<String> VARIABLES =
      List.of("GPU_MAX_HW_QUEUES", "HIPLAB_HOST_MEMORY_BYTES");

  private Surroundings() {}

  /**
   * As a record keeps them.
   *
   * @param told what the backend says of itself; see {@link dev.hiplab.Backend#info}
   */
  static Map<String, String> of(Map<String, String> told) {
    Map<String, String> environment = new TreeMap<>(told);
    String provider = environment.remove("provider");
    if (provider != null) {
      environment.put("driver", provider);
      environment.put("profile", Place.profile(environment.getOrDefault("detail", "")));
    }
    for (String variable : VARIABLES) {
      String value = System.getenv(variable);
      if (value != null) {
        environment.put(variable, value);
      }
    }
    environment.put("version.hiplab", Version.OF_HIPLAB);
    environment.put("version.java", System.getProperty("java.runtime.version"));
    environment.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    return environment;
  }
}
