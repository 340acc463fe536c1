package dev.hiplab.doctor;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A diagnosis for people, and for a file. */
public final class DoctorText {
  private DoctorText() {}

  /** One line a check; below a trouble what to do. {@code first}: the device, and why. */
  public static List<String> lines(String first, Diagnosis diagnosis) {
    List<String> lines = new ArrayList<>();
    lines.add(first);
    for (Section section : diagnosis.sections()) {
      lines.add("");
      lines.add(section.title());
      for (Check check : section.checks()) {
        lines.add(String.format("  %-8s %s", check.level(), check.text()));
        if (check.level() == Level.TROUBLE) {
          lines.add("           -> " + check.step());
        }
      }
    }
    lines.add("");
    lines.add(diagnosis.conclusion());
    return lines;
  }

  /** The same and every fact, as JSON. */
  public static String json(String first, Diagnosis diagnosis, Facts facts) {
    JsonObject all = new JsonObject();
    all.addProperty("device", first);
    all.addProperty("works", diagnosis.works().name());
    all.addProperty("troubles", diagnosis.troubles());
    all.addProperty("conclusion", diagnosis.conclusion());
    JsonArray sections = new JsonArray();
    for (Section section : diagnosis.sections()) {
      JsonObject one = new JsonObject();
      one.addProperty("title", section.title());
      JsonArray checks = new JsonArray();
      for (Check check : section.checks()) {
        JsonObject line = new JsonObject();
        line.addProperty("level", check.level().name());
        line.addProperty("text", check.text());
        if (!check.step().isEmpty()) {
          line.addProperty("step", check.step());
        }
        checks.add(line);
      }
      one.add("checks", checks);
      sections.add(one);
    }
    all.add("sections", sections);
    JsonObject told = new JsonObject();
    new TreeMap<>(facts.values()).forEach(told::addProperty);
    all.add("facts", told);
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(all);
  }
}
