package dev.hiplab.report.bundle;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.hiplab.race.JsonTexts;
import java.util.ArrayList;
import java.util.List;

/**
 * What a bundle says of itself, as {@code manifest.json}.
 *
 * @param hiplab version that wrote it
 * @param made ISO-8601 instant
 * @param commands that repeat its campaigns
 * @param machine sentences on what its records may tell of the machine
 * @param files all but the manifest
 */
record BundleManifest(
    String hiplab, String made, List<String> commands, List<String> machine, List<File> files) {
  static final String FILE = "manifest.json";

  private static final String FORMAT = "hiplab bundle 1";

  BundleManifest {
    commands = List.copyOf(commands);
    machine = List.copyOf(machine);
    files = List.copyOf(files);
  }

  /** One file: its SHA-256 as hexadecimal digits. */
  record File(String name, long bytes, String sha256) {}

  String toJson() {
    JsonObject json = new JsonObject();
    json.addProperty("format", FORMAT);
    json.addProperty("hiplab", hiplab);
    json.addProperty("made", made);
    json.add("commands", JsonTexts.array(commands));
    json.add("machine", JsonTexts.array(machine));
    JsonArray list = new JsonArray();
    for (File file : files) {
      JsonObject one = new JsonObject();
      one.addProperty("name", file.name());
      one.addProperty("bytes", file.bytes());
      one.addProperty("sha256", file.sha256());
      list.add(one);
    }
    json.add("files", list);
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(json) + "\n";
  }

  /**
   * Reads it back.
   *
   * @throws JsonParseException when it is none, or of another format
   */
  static BundleManifest fromJson(String text) {
    try {
      JsonObject json = JsonParser.parseString(text).getAsJsonObject();
      String format = json.get("format").getAsString();
      if (!format.equals(FORMAT)) {
        throw new JsonParseException("its format is '" + format + "', not '" + FORMAT + "'");
      }
      List<File> files = new ArrayList<>();
      for (JsonElement each : json.getAsJsonArray("files")) {
        JsonObject file = each.getAsJsonObject();
        files.add(
            new File(
                file.get("name").getAsString(),
                file.get("bytes").getAsLong(),
                file.get("sha256").getAsString()));
      }
      return new BundleManifest(
          json.get("hiplab").getAsString(),
          json.get("made").getAsString(),
          JsonTexts.strings(json.getAsJsonArray("commands")),
          JsonTexts.strings(json.getAsJsonArray("machine")),
          files);
    } catch (JsonParseException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new JsonParseException("a field of it is missing or of another kind", e);
    }
  }
}
