package dev.hiplab.race;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The settings of a command's campaign as {@code campaign.json}. */
final class CommandJson {
  private CommandJson() {}

  static String write(CommandSettings settings, String id, String startedAt) {
    JsonObject json = new JsonObject();
    json.addProperty("campaign", id);
    json.addProperty("startedAt", startedAt);
    json.addProperty("command", settings.command());
    json.addProperty("name", settings.name());
    json.addProperty("shell", settings.text());
    JsonArray arms = new JsonArray();
    settings.arms().forEach(arm -> arms.add(arm(arm)));
    json.add("arms", arms);
    JsonArray outcomes = new JsonArray();
    settings.outcomes().forEach(outcome -> outcomes.add(outcome.toString()));
    json.add("outcomes", outcomes);
    JsonArray counters = new JsonArray();
    settings.counters().forEach(counter -> counters.add(counter.toString()));
    json.add("counters", counters);
    json.addProperty("runs", settings.runs());
    json.addProperty("seed", settings.seed());
    json.addProperty("deadlineSeconds", settings.deadline().toSeconds());
    GsonBuilder builder = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping();
    return builder.create().toJson(json) + "\n";
  }

  private static JsonObject arm(Arm arm) {
    JsonObject json = new JsonObject();
    json.addProperty("name", arm.name());
    json.addProperty("folder", arm.folder().toString());
    JsonObject environment = new JsonObject();
    arm.environment().forEach(environment::addProperty);
    json.add("environment", environment);
    json.addProperty("shell", arm.command());
    json.addProperty("expect", arm.expectation().name());
    return json;
  }

  /**
   * Reads it back.
   *
   * @throws JsonParseException when a field is missing or of another kind
   */
  static CommandSettings read(JsonObject json) {
    try {
      List<Arm> arms = new ArrayList<>();
      json.getAsJsonArray("arms").forEach(arm -> arms.add(arm(arm.getAsJsonObject())));
      List<OutcomePattern> outcomes = new ArrayList<>();
      for (JsonElement outcome : json.getAsJsonArray("outcomes")) {
        outcomes.add(OutcomePattern.of(outcome.getAsString()));
      }
      List<CounterPattern> counters = new ArrayList<>();
      for (JsonElement counter : json.getAsJsonArray("counters")) {
        counters.add(CounterPattern.of(counter.getAsString()));
      }
      return new CommandSettings(
          json.get("name").getAsString(),
          json.get("shell").getAsString(),
          arms,
          outcomes,
          counters,
          json.get("runs").getAsInt(),
          json.get("seed").getAsLong(),
          Duration.ofSeconds(json.get("deadlineSeconds").getAsLong()));
    } catch (RuntimeException e) {
      throw new JsonParseException(e.getMessage(), e);
    }
  }

  private static Arm arm(JsonObject json) {
    Map<String, String> environment = new TreeMap<>();
    json.getAsJsonObject("environment")
        .asMap()
        .forEach((name, value) -> environment.put(name, value.getAsString()));
    return new Arm(
        json.get("name").getAsString(),
        Path.of(json.get("folder").getAsString()),
        environment,
        json.get("shell").getAsString(),
        Expectation.valueOf(json.get("expect").getAsString()));
  }
}
