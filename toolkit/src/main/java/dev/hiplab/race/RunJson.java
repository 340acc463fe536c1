package dev.hiplab.race;

import static java.util.stream.Collectors.joining;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A run as one line of JSON. Written field by field: the order stays the record's, and a number
 * that JSON does not have (NaN) is null.
 */
final class RunJson {
  private RunJson() {}

  static String write(RunRecord run) {
    JsonObject json = new JsonObject();
    json.addProperty("campaign", run.campaign());
    json.addProperty("scenario", run.scenario());
    json.addProperty("form", run.form());
    json.addProperty("way", run.way());
    json.addProperty("run", run.run());
    json.addProperty("seed", run.seed());
    json.addProperty("outcome", run.outcome().name());
    json.addProperty("grade", run.grade().name());
    json.addProperty("detail", run.detail());
    json.addProperty("wallMillis", number(run.wallMillis()));
    json.addProperty("workMillis", number(run.workMillis()));
    json.addProperty("exitCode", run.exitCode());
    json.addProperty("signal", run.signal());
    json.addProperty("frame", run.frame());
    json.add("lastPoints", points(run.lastPoints()));
    JsonObject counters = new JsonObject();
    new TreeMap<>(run.counters()).forEach(counters::addProperty);
    json.add("counters", counters);
    JsonObject environment = new JsonObject();
    new TreeMap<>(run.environment()).forEach(environment::addProperty);
    json.add("environment", environment);
    json.addProperty("schedule", run.schedule());
    JsonArray orders = new JsonArray();
    run.orders().forEach(orders::add);
    json.add("orders", orders);
    json.addProperty("command", run.command());
    json.addProperty("startedAt", run.startedAt());
    return json.toString();
  }

  /**
   * Reads a line back.
   *
   * @throws JsonParseException when the line is no run; its message names what is wrong
   */
  static RunRecord read(String line) {
    try {
      JsonObject json = JsonParser.parseString(line).getAsJsonObject();
      Map<String, Long> counters = new LinkedHashMap<>();
      object(json, "counters").asMap().forEach((k, v) -> counters.put(k, v.getAsLong()));
      Map<String, String> environment = new LinkedHashMap<>();
      object(json, "environment").asMap().forEach((k, v) -> environment.put(k, v.getAsString()));
      return new RunRecord(
          text(json, "campaign"),
          text(json, "scenario"),
          text(json, "form"),
          text(json, "way"),
          field(json, "run").getAsInt(),
          field(json, "seed").getAsLong(),
          constant(Outcome.class, json, "outcome"),
          constant(Grade.class, json, "grade"),
          text(json, "detail"),
          real(json, "wallMillis"),
          real(json, "workMillis"),
          field(json, "exitCode").getAsInt(),
          text(json, "signal"),
          text(json, "frame"),
          points(json),
          counters,
          environment,
          text(json, "schedule"),
          // Records of campaigns from before there were orders have none.
          json.has("orders") ? texts(json, "orders") : List.of(),
          text(json, "command"),
          text(json, "startedAt"));
    } catch (JsonSyntaxException e) {
      throw new JsonParseException("it is not JSON", e); // its own words are the parser's
    } catch (ClassCastException | UnsupportedOperationException e) {
      throw new JsonParseException("a field of it is null or of another kind", e);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new JsonParseException(e.getMessage(), e);
    }
  }

  private static JsonObject points(Map<String, List<String>> points) {
    JsonObject json = new JsonObject();
    new TreeMap<>(points)
        .forEach(
            (thread, passed) -> {
              JsonArray names = new JsonArray();
              passed.forEach(names::add);
              json.add(thread, names);
            });
    return json;
  }

  /** None in a file of before they were recorded. */
  private static Map<String, List<String>> points(JsonObject json) {
    Map<String, List<String>> points = new LinkedHashMap<>();
    if (json.has("lastPoints")) {
      object(json, "lastPoints")
          .asMap()
          .forEach((thread, names) -> points.put(thread, texts(names.getAsJsonArray())));
    }
    return points;
  }

  private static List<String> texts(JsonArray array) {
    return array.asList().stream().map(JsonElement::getAsString).toList();
  }

  private static Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private static double real(JsonObject json, String name) {
    JsonElement value = field(json, name);
    return value.isJsonNull() ? Double.NaN : value.getAsDouble();
  }

  private static <E extends Enum<E>> E constant(Class<E> type, JsonObject json, String name) {
    String value = text(json, name);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(value)) {
        return constant;
      }
    }
    throw new JsonParseException(
        "its "
            + name
            + " is '"
            + value
            + "', not one of "
            + Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(joining(", ")));
  }

  private static String text(JsonObject json, String name) {
    return field(json, name).getAsString();
  }

  private static List<String> texts(JsonObject json, String name) {
    List<String> texts = new ArrayList<>();
    field(json, name).getAsJsonArray().forEach(text -> texts.add(text.getAsString()));
    return texts;
  }

  private static JsonObject object(JsonObject json, String name) {
    return field(json, name).getAsJsonObject();
  }

  private static JsonElement field(JsonObject json, String name) {
    JsonElement value = json.get(name);
    if (value == null) {
      throw new JsonParseException("it has no field \"" + name + "\"");
    }
    return value;
  }
}
