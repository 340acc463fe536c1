package dev.hiplab.measure;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.hiplab.HiplabException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a survey was asked to do, and where. Two with the same settings can be put together.
 *
 * @param shapes labels of the problems, in order
 * @param candidates asked for of each shape
 * @param capBytes most workspace that a candidate may ask for, bytes
 * @param timing whether candidates are run at all
 * @param warmUp GEMMs of each candidate that are not timed, the checked one not among them
 * @param fewest GEMMs that are timed whatever the budget
 * @param most GEMMs that are timed at most
 * @param budgetMillis time for the timed GEMMs of one candidate, milliseconds
 * @param checkedMultiplyAdds multiply-adds of the outputs that are compared, of one shape
 * @param seed of the inputs and of which outputs are compared
 * @param place where
 * @param devices that the backend showed; 0 when that is not known
 * @param command what was typed
 * @param startedAt when it began, ISO 8601
 */
public record SurveySettings(
    List<String> shapes,
    int candidates,
    long capBytes,
    boolean timing,
    int warmUp,
    int fewest,
    int most,
    long budgetMillis,
    long checkedMultiplyAdds,
    long seed,
    Place place,
    int devices,
    String command,
    String startedAt) {
  static final String FILE = "survey.json";

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  public SurveySettings {
    shapes = List.copyOf(shapes);
  }

  List<Problem> problems() {
    return shapes.stream().map(Problem::of).toList();
  }

  String toJson() {
    return GSON.toJson(this) + "\n";
  }

  /**
   * Reads them back.
   *
   * @throws HiplabException when they are none
   */
  static SurveySettings fromJson(String text, Object where) {
    try {
      SurveySettings read = GSON.fromJson(text, SurveySettings.class);
      if (read != null && read.place != null && read.command != null) {
        read.problems();
        return read;
      }
    } catch (RuntimeException e) { // no JSON, no object, a value that is missing or no shape
      throw new HiplabException(where + " is not what a survey wrote: " + e.getMessage(), e);
    }
    throw new HiplabException(where + " is not what a survey wrote: it lacks values");
  }

  /** What keeps these from going on with a survey of those; empty when nothing does. */
  List<String> differences(SurveySettings there) {
    List<String> all = new ArrayList<>();
    add(all, "shapes", there.shapes, shapes);
    add(all, "candidates", there.candidates, candidates);
    add(all, "cap in bytes", there.capBytes, capBytes);
    add(all, "timing", there.timing, timing);
    add(all, "warm-up", there.warmUp, warmUp);
    add(all, "fewest repetitions", there.fewest, fewest);
    add(all, "most repetitions", there.most, most);
    add(all, "budget in ms", there.budgetMillis, budgetMillis);
    add(all, "checked multiply-adds", there.checkedMultiplyAdds, checkedMultiplyAdds);
    add(all, "seed", there.seed, seed);
    add(all, "driver", there.place.driver(), place.driver());
    add(all, "device", there.place.device(), place.device());
    add(all, "architecture", there.place.arch(), place.arch());
    add(all, "profile", there.place.profile(), place.profile());
    add(all, "library versions", libraries(there.place), libraries(place));
    return all;
  }

  /** A survey that another Java goes on with is the same survey. */
  private static Map<String, String> libraries(Place place) {
    Map<String, String> versions = new TreeMap<>(place.versions());
    versions.remove("java");
    return versions;
  }

  private static void add(List<String> all, String what, Object there, Object here) {
    if (!Objects.equals(there, here)) {
      all.add(what + " was " + there + ", is " + here);
    }
  }
}
