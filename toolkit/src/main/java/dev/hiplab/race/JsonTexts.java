package dev.hiplab.race;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.List;

/** Lists of texts in JSON. */
public final class JsonTexts {
  private JsonTexts() {}

  /** An array of them. */
  public static JsonArray array(List<String> texts) {
    JsonArray array = new JsonArray();
    texts.forEach(array::add);
    return array;
  }

  /** The texts of an array. */
  public static List<String> strings(JsonArray array) {
    List<String> texts = new ArrayList<>();
    for (JsonElement text : array) {
      texts.add(text.getAsString());
    }
    return texts;
  }
}
